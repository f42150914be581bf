-- Which queues are paused, and which workers there are.

CREATE TABLE paused_queues (
    queue TEXT PRIMARY KEY,
    paused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
    worker_id BLOB PRIMARY KEY,
    kinds TEXT NOT NULL,
    queues TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX workers_seen ON workers (seen_at);
