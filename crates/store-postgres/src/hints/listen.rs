//! Hearing the other processes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use sqlx::postgres::{PgConnectOptions, PgListener};
use sqlx::{Acquire as _, Connection as _};
use tokio_util::sync::CancellationToken;

use super::{CHANNEL, Hinting};
use crate::connect;
use crate::error::Failure;
use crate::guard::within;

/// A connection on which nothing was heard for so long is asked whether it still lives.
const CHECK_AFTER: Duration = Duration::from_secs(10);
const ANSWER_FOR: Duration = Duration::from_secs(5);

/// The waits between two tries to listen.
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(30);

/// Hears the notifications of the other processes until the store is closed, on a connection of its own
/// that is replaced when it fails. Begins once somebody in this process wants to hear them.
pub(crate) async fn listen(
    target: PgConnectOptions,
    hinting: Arc<Hinting>,
    stop: CancellationToken,
) {
    let listening = async {
        hinting.wanted.notified().await;
        let mut outage = Outage::default();
        loop {
            let failure = listen_once(&target, &hinting, &mut outage).await;
            outage.wait(&failure).await;
        }
    };
    tokio::select! {
        () = listening => {}
        () = stop.cancelled() => {}
    }
}

/// Listens on one connection, and answers why that ended.
async fn listen_once(target: &PgConnectOptions, hinting: &Hinting, outage: &mut Outage) -> Failure {
    let pool = connect::listening(target.clone());
    let opened = within(ANSWER_FOR, async {
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(listener)
    });
    let mut listener = match opened.await {
        Ok(listener) => listener,
        Err(failure) => return failure,
    };
    hinting.may_have_missed_some();
    loop {
        match tokio::time::timeout(CHECK_AFTER, listener.try_recv()).await {
            Ok(Ok(Some(said))) => hinting.hear(said.payload()),
            Ok(Ok(None)) => return sqlx::Error::Io(io::ErrorKind::UnexpectedEof.into()).into(),
            Ok(Err(error)) => return error.into(),
            Err(_) => {
                let answered = async { (&mut listener).acquire().await?.ping().await };
                if let Err(failure) = within(ANSWER_FOR, answered).await {
                    return failure;
                }
                outage.is_over();
            }
        }
    }
}

/// The waits of one outage, and whether it was told.
#[derive(Debug, Default)]
struct Outage(Option<ExponentialBackoff>);

impl Outage {
    /// A connection has lasted.
    fn is_over(&mut self) {
        self.0 = None;
    }

    async fn wait(&mut self, failure: &Failure) {
        let waits = self.0.get_or_insert_with(|| {
            tracing::warn!(
                error = %failure,
                "notifications of other processes are not heard; looking once a tick finds the work"
            );
            waits()
        });
        tokio::time::sleep(waits.next().unwrap_or(LONGEST)).await;
    }
}

fn waits() -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(SHORTEST)
        .with_max_delay(LONGEST)
        .with_jitter()
        .without_max_times()
        .build()
}
