//! Being told to stop.

/// Ends when the process is interrupted or terminated; the scratch databases are dropped then.
pub(super) async fn asked() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _interrupted = tokio::signal::ctrl_c() => {}
                _terminated = terminated.recv() => {}
            }
            return;
        }
    }
    let _interrupted = tokio::signal::ctrl_c().await;
}
