//! Telling the other processes.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{CHANNEL, Hinting};
use crate::error::Failure;
use crate::store::Shared;
use crate::tx::Tx;

/// So long a process says nothing after it has said something.
const QUIET_FOR: Duration = Duration::from_millis(2);

/// How long the last notification of a store that closes may take.
const PARTING_FOR: Duration = Duration::from_secs(1);

/// Tells the other processes what they were not told yet, one notification at a time, until the store is
/// closed. It is a statement of its own behind the commit that it is about: inside, it would make all
/// commits of the database wait for one another.
pub(crate) async fn notify(shared: Arc<Shared>, hinting: Arc<Hinting>, stop: CancellationToken) {
    loop {
        tokio::select! {
            biased;
            () = hinting.untold.wake.notified() => tell(&shared, &hinting).await,
            () = stop.cancelled() => {
                let parting = tokio::time::timeout(PARTING_FOR, tell(&shared, &hinting));
                if parting.await.is_err() {
                    tracing::debug!("the last notification was not sent in time");
                }
                return;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(QUIET_FOR) => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn tell(shared: &Shared, hinting: &Hinting) {
    let Some(text) = hinting.take_untold() else { return };
    if let Err(failure) = send(shared, &text).await {
        // Nobody needs it: who hears nothing looks once a tick.
        tracing::debug!(error = %failure, "a notification was not sent");
    }
}

async fn send(shared: &Shared, text: &str) -> Result<(), Failure> {
    let mut tx = Tx::each(shared, &shared.pool).await?;
    let notify = sqlx::query(include_str!("../sql/notify.sql")).bind(CHANNEL).bind(text);
    let sent = tx.write(notify).await;
    tx.settle(sent).await
}
