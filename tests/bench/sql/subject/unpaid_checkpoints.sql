-- How many settled calls have no checkpoint, or the other way round.
SELECT abs((SELECT count(*) FROM ledger WHERE kind = 'settled') - (SELECT count(*) FROM checkpoints))
