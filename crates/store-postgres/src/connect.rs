//! From a URL to connections that keep their promises.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use koinon_store::Error;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::error::Failure;
use crate::guard::ping_for;
use crate::memory::Memory;
use crate::store::Options;

/// More statements than there are, so that each is prepared once for each connection.
const STATEMENTS: usize = 200;

/// A connection that was idle for longer is asked whether it still lives before it is used.
const TRUSTED_FOR: Duration = Duration::from_millis(500);

/// What every session is told.
///
/// Each statement is made for an index. The planner cannot know that a table which was empty when the
/// statement was prepared has a million rows an hour later, so it is told not to read whole tables. A
/// transaction whose process has stopped must not keep its locks for longer than a lease lasts.
const SESSION: [(&str, &str); 9] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("jit", "off"),
    ("lock_timeout", "10s"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("timezone", "UTC"),
];

/// How to reach the database that a URL names.
pub(crate) fn options(url: &str) -> Result<PgConnectOptions, Error> {
    let is_ours = url.starts_with("postgres://") || url.starts_with("postgresql://");
    let options = PgConnectOptions::from_str(url).ok().filter(|_| is_ours).ok_or_else(|| {
        // The URL itself may have a password.
        let says = "the database URL names no Postgres database: give one such as \
                    postgres://user@host:5432/koinon";
        Error::Invalid(says.into())
    })?;
    // PgBouncer refuses a session that begins with a setting of floats, which no statement needs.
    Ok(options.application_name("koinon").extra_float_digits(None).disable_statement_logging())
}

/// Connections for the store. A pooler hands sessions round, so behind one nothing is told to them.
pub(crate) fn pool(
    options: PgConnectOptions,
    how: &Options,
    count: u32,
    memory: &Arc<Memory>,
) -> PgPool {
    let options = if how.pooler {
        options.statement_cache_capacity(0)
    } else {
        // Nobody waits any more for a statement whose answer is late, and its locks would stay.
        let timeout = format!("{}ms", how.statement_for.min(how.answer_for).as_millis());
        options
            .statement_cache_capacity(STATEMENTS)
            .options(SESSION)
            .options([("statement_timeout", timeout)])
    };
    let memory = Arc::clone(memory);
    let ping_for = ping_for(how.answer_for);
    PgPoolOptions::new()
        .max_connections(count.max(1))
        .acquire_timeout(how.acquire_for)
        .test_before_acquire(false)
        .after_connect(move |_, _| {
            memory.clear();
            Box::pin(async { Ok(()) })
        })
        .before_acquire(move |connection, about| {
            Box::pin(async move {
                if about.idle_for < TRUSTED_FOR {
                    return Ok(true);
                }
                let answered = tokio::time::timeout(ping_for, connection.ping()).await;
                Ok(answered.is_ok_and(|pinged| pinged.is_ok()))
            })
        })
        .connect_lazy_with(options)
}

/// A session that listens. Being idle for long is no reason to end it.
pub(crate) fn listening(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_lazy_with(options.options([("idle_session_timeout", "0")]))
}

/// One connection of its own, that is told nothing.
pub(crate) async fn alone(url: &str, wait: Duration) -> Result<PgConnection, Failure> {
    let options = options(url)?;
    match tokio::time::timeout(wait, options.connect()).await {
        Ok(connected) => Ok(connected?),
        Err(elapsed) => Err(sqlx::Error::Io(std::io::Error::from(elapsed)).into()),
    }
}
