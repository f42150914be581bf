-- Results of finished stages and items; written once for each key. The item of a stage as a whole is
-- the empty text, which no item has.

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
) STRICT;

CREATE TRIGGER checkpoints_are_written_once BEFORE UPDATE ON checkpoints
BEGIN
    SELECT raise(ABORT, 'a checkpoint is written once');
END;
