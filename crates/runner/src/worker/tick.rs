//! Schedules whose tick has come make their jobs.

use super::Core;

/// So many schedules are fired in one transaction at the most.
const SCHEDULES_MAX: u32 = 100;

impl Core {
    /// Makes the jobs of ticks that are due, whichever worker comes first. What is left is flagged by the
    /// next look.
    pub(super) async fn fire_schedules(&self) -> Result<(), koinon_store::Error> {
        let fired = self.services.schedules.fire_schedules(SCHEDULES_MAX).await?;
        for one in &fired.jobs {
            let (job, tick_us) = (one.job.job(), one.tick.as_micros());
            tracing::info!(schedule = %one.name, tenant = %one.tenant, %job, tick_us, "a schedule ticked");
        }
        for (tenant, name) in &fired.skipped {
            tracing::warn!(schedule = %name, %tenant, "ticks were missed that make no job");
        }
        for (name, why) in &fired.set_aside {
            tracing::error!(schedule = %name, %why, "a schedule cannot be read: it was paused");
        }
        Ok(())
    }
}
