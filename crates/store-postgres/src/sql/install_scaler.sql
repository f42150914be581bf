-- Makes the schema and the function of the autoscaler anew, so that no right of an earlier time is left, and
-- grants them to the one role; all or nothing. The function runs with the rights of whoever installs it, so
-- it looks for nothing outside of the catalog: its text names the schema of every table.
DO $install$
DECLARE
    scaler_role text := current_setting('koinon.scaler_role');
BEGIN
    IF EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'koinon_scaler') THEN
        DROP FUNCTION IF EXISTS koinon_scaler.backlog();
        DROP SCHEMA koinon_scaler;
    END IF;
    CREATE SCHEMA koinon_scaler;
    EXECUTE format(
        $make$
        CREATE FUNCTION koinon_scaler.backlog()
        RETURNS TABLE (
            queue text,
            ready bigint,
            active bigint,
            retry bigint,
            deferred bigint,
            paused bigint,
            blocked bigint,
            set_aside bigint,
            oldest_ready_age_ms bigint,
            paused_at timestamptz,
            per_replica_capacity bigint,
            process_capacity bigint
        )
        LANGUAGE sql STABLE SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET enable_seqscan = off
        SET enable_bitmapscan = off
        SET enable_hashjoin = off
        SET enable_mergejoin = off
        SET jit = off
        AS %L
        $make$,
        current_setting('koinon.scaler_text')
    );
    REVOKE ALL ON SCHEMA koinon_scaler FROM PUBLIC;
    REVOKE ALL ON FUNCTION koinon_scaler.backlog() FROM PUBLIC;
    EXECUTE format('GRANT USAGE ON SCHEMA koinon_scaler TO %I', scaler_role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION koinon_scaler.backlog() TO %I', scaler_role);
    PERFORM count(*) FROM koinon_scaler.backlog();
END
$install$
