-- A bare queue: what has to be kept of a job, and the order in which jobs are claimed.
CREATE TABLE bare_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state text NOT NULL DEFAULT 'queued',
    payload text NOT NULL
);
CREATE INDEX bare_jobs_ready ON bare_jobs (id) WHERE state = 'queued';
