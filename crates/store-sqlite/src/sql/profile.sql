-- A kept price profile, under the writer's lock; by primary key.
SELECT effective_from, prices FROM price_profiles WHERE id = ?1
