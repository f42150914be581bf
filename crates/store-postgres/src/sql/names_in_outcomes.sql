-- A page of what may name blobs in outcomes; by primary key.
SELECT job_id, manifest::text AS manifest, summary FROM outcomes WHERE job_id > $1 ORDER BY job_id LIMIT $2
