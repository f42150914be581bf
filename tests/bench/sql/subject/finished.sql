-- How many jobs have succeeded.
SELECT count(*) FROM outcomes WHERE state = 'succeeded'
