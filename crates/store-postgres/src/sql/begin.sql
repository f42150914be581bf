-- Begins a transaction; each of its statements sees what was committed before it began.
BEGIN ISOLATION LEVEL READ COMMITTED
