-- Schedules: when they tick, and what their jobs are asked to do. Each tick makes one job, in the
-- transaction that moves `next_at` on.

CREATE TABLE schedules (
    schedule_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    name text COLLATE "C" NOT NULL,
    cron text,
    zone text,
    every_us bigint CHECK (every_us > 0),
    missed text NOT NULL CHECK (missed IN ('skip', 'once', 'all')),
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL CHECK (priority BETWEEN 0 AND 9),
    payload bytea NOT NULL,
    authority jsonb,
    limits jsonb NOT NULL,
    max_attempts bigint NOT NULL CHECK (max_attempts >= 1),
    added_at timestamptz NOT NULL,
    paused_at timestamptz,
    next_at timestamptz,
    last_tick_at timestamptz,
    last_job_id uuid,
    UNIQUE (tenant, name),
    -- By the calendar of a zone, or at an interval.
    CHECK ((cron IS NULL) = (zone IS NULL) AND (cron IS NULL) <> (every_us IS NULL)),
    CHECK (paused_at IS NULL OR next_at IS NULL),
    CHECK ((last_tick_at IS NULL) = (last_job_id IS NULL))
);

-- Ticks, the next one in front.
CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;
