-- Schedules: when they tick, and what their jobs are asked to do. Each tick makes one job, in the
-- transaction that moves `next_at` on.

CREATE TABLE schedules (
    schedule_id BLOB NOT NULL PRIMARY KEY CHECK (length(schedule_id) = 16),
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    cron TEXT,
    zone TEXT,
    every_us INTEGER CHECK (every_us > 0),
    missed TEXT NOT NULL CHECK (missed IN ('skip', 'once', 'all')),
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 9),
    payload BLOB NOT NULL,
    authority TEXT,
    limits TEXT NOT NULL,
    max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
    added_at INTEGER NOT NULL,
    paused_at INTEGER,
    next_at INTEGER,
    last_tick_at INTEGER,
    last_job_id BLOB,
    UNIQUE (tenant, name),
    -- By the calendar of a zone, or at an interval.
    CHECK ((cron IS NULL) = (zone IS NULL) AND (cron IS NULL) <> (every_us IS NULL)),
    CHECK (paused_at IS NULL OR next_at IS NULL),
    CHECK ((last_tick_at IS NULL) = (last_job_id IS NULL))
) STRICT, WITHOUT ROWID;

-- Ticks, the next one in front.
CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;
