//! Two cores for client and server together, as the floors are meant.

/// Keeps this process, and whatever it starts from now on, to the first two of the cores that it may use.
#[cfg(target_os = "linux")]
pub(crate) fn keep_to_two() -> anyhow::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed = sched_getaffinity(None)?;
    let mut two = CpuSet::new();
    for core in (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).take(2) {
        two.set(core);
    }
    Ok(sched_setaffinity(None, &two)?)
}

/// This system has no way to keep a process to some cores.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it may fail")]
pub(crate) fn keep_to_two() -> anyhow::Result<()> {
    Ok(())
}
