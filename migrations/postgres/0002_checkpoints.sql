-- Results of finished stages and items; written once for each key. The item of a stage as a whole is
-- the empty text, which no item has.

CREATE TABLE checkpoints (
    job_id uuid NOT NULL,
    stage text NOT NULL,
    version bigint NOT NULL,
    item text NOT NULL,
    input bytea NOT NULL CHECK (octet_length(input) = 32),
    generation bigint NOT NULL,
    at timestamptz NOT NULL,
    result bytea,
    result_digest bytea CHECK (octet_length(result_digest) = 32),
    result_size_bytes bigint,
    PRIMARY KEY (job_id, stage, version, item, input),
    -- A result stands in the row, or in the artifact that the row names.
    CHECK ((result IS NULL) = (result_digest IS NOT NULL AND result_size_bytes IS NOT NULL))
);

CREATE TRIGGER checkpoints_are_written_once BEFORE UPDATE ON checkpoints
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a checkpoint is written once');
