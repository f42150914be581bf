-- What the function of the autoscaler says of the queue.
SELECT ready, active, retry, paused, blocked FROM koinon_scaler.backlog() WHERE queue = $1
