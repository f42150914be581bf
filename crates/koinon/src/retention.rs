//! What goes after a while, as the settings say.

use koinon_domain::QueueName;
use koinon_runner::{Sweep, SweepError, Swept};
use koinon_store::{Keep, Retention};
use tokio_util::sync::CancellationToken;

use crate::settings::{KeepSettings, Settings};
use crate::{Error, Koinon};

/// What is kept, and for how long. The names of the queues were checked with the settings.
pub(crate) fn kept(settings: &Settings) -> Retention {
    let default = &settings.retention.default;
    let queues = settings.queues.iter().filter_map(|(name, queue)| {
        Some((QueueName::try_new(name).ok()?, keep(&queue.retention, default)))
    });
    Retention {
        default: keep(default, default),
        queues: queues.collect(),
        orphans_for: settings.retention.orphans_for,
    }
}

/// What a queue says, and where it says nothing, what the default says.
fn keep(own: &KeepSettings, default: &KeepSettings) -> Keep {
    Keep {
        succeeded_for: own.succeeded_for.or(default.succeeded_for),
        failed_for: own.failed_for.or(default.failed_for),
        cancelled_for: own.cancelled_for.or(default.cancelled_for),
    }
}

impl Koinon {
    /// What is kept, and for how long.
    #[must_use]
    pub fn kept(&self) -> Retention {
        kept(self.settings())
    }

    /// Removes, or counts, what the settings no longer keep, in the primary database and the artifact store,
    /// until `stop` is cancelled. Workers do it by themselves every `retention.every`.
    ///
    /// # Errors
    ///
    /// [`Error::Store`], [`Error::Artifacts`].
    ///
    /// # Cancel safety
    ///
    /// What was removed is gone, and each transaction happens completely or not at all.
    pub async fn prune(&self, sweep: Sweep, stop: &CancellationToken) -> Result<Swept, Error> {
        let swept = self.services().sweep(sweep, stop).await;
        swept.map_err(|error| match error {
            SweepError::Store(error) => error.into(),
            SweepError::Artifacts(error) => error.into(),
            other => koinon_store::Error::Other(other.into()).into(),
        })
    }
}
