-- A price profile, once and for all; one that is kept already stays as it is. By primary key.
INSERT INTO price_profiles (
    id, effective_from, prices
) VALUES (
    $1, $2, $3
)
ON CONFLICT (id) DO NOTHING
