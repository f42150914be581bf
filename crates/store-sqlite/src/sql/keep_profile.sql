-- A price profile, once and for all; the writer saw in the same transaction that it is not there.
INSERT INTO price_profiles (
    id, effective_from, prices
) VALUES (
    ?, ?, ?
)
