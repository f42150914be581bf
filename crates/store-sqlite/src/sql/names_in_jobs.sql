-- A page of what may name blobs in jobs; by primary key.
SELECT job_id, payload FROM jobs WHERE job_id > ?1 ORDER BY job_id LIMIT ?2
