//! What goes after a while, as the settings say.

use koinon_domain::QueueName;
use koinon_runner::{Sweep, SweepError, Swept};
use koinon_store::{Keep, Retention};
use tokio_util::sync::CancellationToken;

use crate::settings::{KeepSettings, Settings};
use crate::{Error, Koinon, told};

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

    /// Removes, or counts, what the settings no longer keep, in the database of every datasource and in the
    /// artifact store, until `stop` is cancelled. Workers do it by themselves every `retention.every`.
    ///
    /// A database that cannot be reached is named in what is answered. Its jobs stay, and so does every blob,
    /// because its rows may name some.
    ///
    /// # Errors
    ///
    /// [`Error::Store`], [`Error::Artifacts`], for what waiting does not cure; and if one of them stops to
    /// answer while blobs are swept.
    ///
    /// # Cancel safety
    ///
    /// What was removed is gone, and each transaction happens completely or not at all.
    pub async fn prune(&self, sweep: Sweep, stop: &CancellationToken) -> Result<Swept, Error> {
        let mut swept = Swept::default();
        for datasource in self.databases() {
            let jobs = async {
                let services = self.services_at(datasource).await?;
                Ok::<_, Error>(services.sweep_jobs(sweep, stop, &mut swept).await?)
            };
            match jobs.await {
                Ok(()) => {}
                Err(Error::Store(error)) if error.is_transient() => {
                    let why = told(&error);
                    tracing::warn!(%datasource, why, "a datasource cannot be asked");
                    swept.note_unavailable(datasource.name());
                }
                Err(error) => return Err(error),
            }
        }
        if swept.unavailable.is_empty() {
            let blobs = self.services().sweep_blobs(sweep, stop, &mut swept).await;
            blobs.map_err(|error| match error {
                SweepError::Store(error) => Error::from(error),
                SweepError::Artifacts(error) => error.into(),
                other => koinon_store::Error::Other(other.into()).into(),
            })?;
        }
        Ok(swept)
    }
}
