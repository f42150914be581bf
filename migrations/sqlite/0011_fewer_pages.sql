-- What a step of a job writes, on fewer pages.

-- A job's results stand together, in the order of their key, and not beside an index that repeats it.
ALTER TABLE checkpoints RENAME TO checkpoints_before;

CREATE TABLE checkpoints (
    job_id BLOB NOT NULL REFERENCES jobs (job_id),
    stage TEXT NOT NULL,
    version INTEGER NOT NULL,
    item TEXT NOT NULL,
    input BLOB NOT NULL CHECK (length(input) = 32),
    generation INTEGER NOT NULL,
    at INTEGER NOT NULL,
    result BLOB,
    result_digest BLOB CHECK (length(result_digest) = 32),
    result_size_bytes INTEGER,
    PRIMARY KEY (job_id, stage, version, item, input),
    -- A result stands in the row, or in the artifact that the row names.
    CHECK ((result IS NULL) = (result_digest IS NOT NULL AND result_size_bytes IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO checkpoints SELECT * FROM checkpoints_before ORDER BY job_id, stage, version, item, input;

DROP TABLE checkpoints_before;

CREATE TRIGGER checkpoints_are_written_once BEFORE UPDATE ON checkpoints
BEGIN
    SELECT raise(ABORT, 'a checkpoint is written once');
END;

-- Leases, the one that expires first in front. They are no more than all workers have permits, so that what one
-- worker holds is found among them, and a start changes no index.
DROP INDEX runs_leases;

DROP INDEX runs_held;

CREATE INDEX runs_leases ON runs (lease_expires_at, job_id, lease_owner, set_aside_at)
WHERE lease_expires_at IS NOT NULL;
