-- Which queues are paused, and which workers there are.

CREATE TABLE paused_queues (
    queue text PRIMARY KEY,
    paused_at timestamptz NOT NULL
);

CREATE TABLE workers (
    worker_id uuid PRIMARY KEY,
    kinds jsonb NOT NULL,
    queues jsonb NOT NULL,
    capacity bigint NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
);

CREATE INDEX workers_seen ON workers (seen_at);
