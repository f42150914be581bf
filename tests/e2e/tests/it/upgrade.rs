//! A newer schema under workers that run.

use std::time::Duration;

use koinon_e2e::{Load, Plan, Store, stop};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");

on_each_store! {
    a_worker_that_runs_goes_on_on_a_newer_schema_and_one_that_starts_refuses_it
}

/// What a newer program might do to the schema: every table has a column that this program does not know.
const NEWER_ON_POSTGRES: &str = "DO $$
    DECLARE one text;
    BEGIN
        FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1 LOOP
            EXECUTE format('ALTER TABLE %I ADD COLUMN later text DEFAULT ''later''', one);
        END LOOP;
    END $$;
    INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', '\\x00');";

const NEWER_ON_SQLITE: &str = "BEGIN IMMEDIATE;
    ALTER TABLE checkpoints ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE identity ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE job_events ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE jobs ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE ledger ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE outcomes ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE paused_queues ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE price_profiles ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE pruned_jobs ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE runs ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE schedules ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE schema_migrations ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE turns ADD COLUMN later TEXT DEFAULT 'later';
    ALTER TABLE workers ADD COLUMN later TEXT DEFAULT 'later';
    INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'later', x'00');
    COMMIT;";

async fn a_worker_that_runs_goes_on_on_a_newer_schema_and_one_that_starts_refuses_it(store: Store) {
    let plan = Plan {
        store,
        workers: 2,
        capacity: 4,
        jobs: 24,
        steps: 8,
        delay: Duration::from_millis(500),
        drain_for: "5s",
        pause: Duration::ZERO,
    };
    let load = Load::new(PROGRAM, plan).await;
    load.submit(&load.kit, 0..24).await;
    let mut workers = [load.kit.work(&[]), load.kit.work(&[])];
    // Some have ended, some run and some wait, so each kind of statement is used before and after.
    load.until_ended(2).await;

    load.place.write(NEWER_ON_SQLITE, NEWER_ON_POSTGRES).await;

    assert_eq!(load.kit.refused().await, "schema_mismatch");
    load.until_ended(24).await;
    for worker in &mut workers {
        stop(worker).await;
    }
    load.held().await;
}
