-- A kept price profile; by primary key.
SELECT effective_from, prices FROM price_profiles WHERE id = $1
