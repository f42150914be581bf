-- What claims under a limit for each tenant read.

-- Ready work of each tenant in the order in which it is claimed. Every tenant has a name; only statements that
-- say so may use the index, so that others keep to `runs_ready`.
CREATE INDEX runs_ready_of_tenant ON runs (queue, tenant, priority DESC, ready_at, job_id)
WHERE state = 'queued' AND set_aside_at IS NULL AND tenant <> '';
