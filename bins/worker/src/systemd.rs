//! What a service manager is told, where there is one: that the worker is up, that it drains, and that it lives.

use std::time::Duration;

use sd_notify::NotifyState;

/// It is up.
pub(crate) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// It drains, and needs so much time for that at the most.
pub(crate) fn stopping(deadline: Duration) {
    let micros = u32::try_from(deadline.as_micros()).unwrap_or(u32::MAX);
    tell(&[NotifyState::Stopping, NotifyState::ExtendTimeoutUsec(micros)]);
}

/// Says that it lives, twice as often as it has to, for as long as somebody wants to know; never ends. It
/// runs beside the heartbeats of the jobs, so where those cannot run, this cannot either.
pub(crate) async fn watchdog() {
    let every = sd_notify::watchdog_enabled().filter(|every| !every.is_zero());
    let Some(every) = every else {
        return std::future::pending().await;
    };
    let mut ticks = tokio::time::interval(every / 2);
    loop {
        ticks.tick().await;
        tell(&[NotifyState::Watchdog]);
    }
}

fn tell(state: &[NotifyState<'_>]) {
    // Without a service manager nothing is sent, and that is no error.
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "the service manager could not be told");
    }
}
