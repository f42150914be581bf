-- The same queue as that of the other floors, in SQLite.
CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL DEFAULT 'default',
    state TEXT NOT NULL DEFAULT 'ready',
    priority INTEGER NOT NULL DEFAULT 0,
    run_at INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_expires_at INTEGER,
    generation INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0,
    payload TEXT NOT NULL,
    result TEXT,
    finished_at INTEGER
) STRICT;
CREATE INDEX job_ready ON job (queue, priority DESC, run_at, id) WHERE state = 'ready';
CREATE INDEX job_lease ON job (lease_expires_at) WHERE state = 'leased';
CREATE TABLE checkpoint (
    job_id INTEGER NOT NULL,
    step INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (job_id, step)
) STRICT, WITHOUT ROWID;
