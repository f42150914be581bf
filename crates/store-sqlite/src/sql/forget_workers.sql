-- Forgets the workers that have been silent since an instant; by `workers_seen`.
DELETE FROM workers WHERE seen_at < ?1
