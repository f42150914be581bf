//! Schedules as programs and people read them.

use koinon::schedule::Cadence;
use koinon::store::Schedule;
use serde::Serialize;

use crate::instant;
use crate::view::{LimitsView, Lines};

/// A schedule as it stands.
#[derive(Debug, Serialize)]
pub(super) struct ScheduleView {
    pub(super) schedule_id: String,
    pub(super) name: String,
    /// `active`, `paused`, or `ended` when it never ticks again.
    pub(super) state: &'static str,
    pub(super) cron: Option<String>,
    pub(super) tz: Option<String>,
    pub(super) every_ms: Option<u64>,
    pub(super) missed: &'static str,
    pub(super) kind: String,
    pub(super) queue: String,
    pub(super) project: String,
    pub(super) priority: u8,
    pub(super) limits: LimitsView,
    pub(super) added_at: String,
    pub(super) paused_at: Option<String>,
    pub(super) next_at: Option<String>,
    pub(super) last_tick_at: Option<String>,
    pub(super) last_job_id: Option<String>,
}

impl ScheduleView {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let template = &schedule.template;
        let (cron, every) = match &schedule.cadence {
            Cadence::Cron(cron) => (Some(cron), None),
            Cadence::Every(every) => (None, Some(every.interval())),
        };
        let state = match (schedule.paused_at, schedule.next_at) {
            (Some(_), _) => "paused",
            (None, Some(_)) => "active",
            (None, None) => "ended",
        };
        Self {
            schedule_id: schedule.id.to_string(),
            name: schedule.name.to_string(),
            state,
            cron: cron.map(|cron| cron.expression().to_owned()),
            tz: cron.map(|cron| cron.zone().to_owned()),
            every_ms: every.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            missed: schedule.missed.as_str(),
            kind: template.kind.to_string(),
            queue: template.queue.to_string(),
            project: template.project.to_string(),
            priority: template.priority.get(),
            limits: LimitsView::of(&template.limits),
            added_at: instant::exact(schedule.added_at),
            paused_at: schedule.paused_at.map(instant::exact),
            next_at: schedule.next_at.map(instant::exact),
            last_tick_at: schedule.last.map(|last| instant::exact(last.at)),
            last_job_id: schedule.last.map(|last| last.job.to_string()),
        }
    }

    /// When it ticks, in a few words.
    pub(super) fn ticks(&self) -> String {
        match (&self.cron, &self.tz, self.every_ms) {
            (Some(cron), Some(tz), _) => format!("{cron} ({tz})"),
            (_, _, Some(millis)) => format!("every {}", every(millis)),
            _ => String::new(),
        }
    }

    pub(super) fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        lines.add("schedule", &self.name);
        lines.add("state", self.state);
        lines.add("ticks", self.ticks());
        lines.add("missed", self.missed);
        lines.add("kind", &self.kind);
        if let Some(next_at) = &self.next_at {
            lines.add("next", next_at);
        }
        if let (Some(at), Some(job)) = (&self.last_tick_at, &self.last_job_id) {
            lines.add("last", format!("{at}, job {job}"));
        }
        lines
    }
}

/// A length of time in the longest unit of which it is a whole number.
fn every(millis: u64) -> String {
    let units = [(3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms")];
    let unit = units.into_iter().find(|(size, _)| millis.is_multiple_of(*size));
    let (size, name) = unit.unwrap_or((1, "ms"));
    format!("{}{name}", millis / size)
}
