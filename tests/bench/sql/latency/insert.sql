INSERT INTO bare_jobs (payload) VALUES ($1)
