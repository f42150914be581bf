-- Begins the writer's transaction, at once as the only writer of the file, so that it never has to be
-- upgraded half way.
BEGIN IMMEDIATE
