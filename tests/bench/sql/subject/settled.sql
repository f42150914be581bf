-- How many paid calls are settled.
SELECT count(*) FROM ledger WHERE kind = 'settled'
