-- What a look at the queues counts: the jobs that stand still, by queue. Rows come into these indexes when a
-- job stops, and leave when it goes on; a job that succeeds without a stop is never in one.

CREATE INDEX runs_waiting ON runs (queue, ready_at)
WHERE state = 'retry_wait' AND set_aside_at IS NULL;

CREATE INDEX runs_paused ON runs (queue)
WHERE state = 'paused' AND set_aside_at IS NULL AND error_code IS DISTINCT FROM 'budget_exhausted';

CREATE INDEX runs_exhausted ON runs (queue)
WHERE state = 'paused' AND set_aside_at IS NULL AND error_code = 'budget_exhausted';

CREATE INDEX runs_set_aside ON runs (queue) WHERE set_aside_at IS NOT NULL;
