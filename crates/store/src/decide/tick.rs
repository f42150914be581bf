//! What schedules do as time goes on.

use koinon_domain::{Digest, JobId, Timestamp};
use koinon_schedule::due;
use uuid::Uuid;

use super::submit::{is_storable, not_storable};
use crate::{
    Error, IfExists, NewJob, NewSchedule, Schedule, ScheduleControl, Submission, Template,
};

/// Names the form of a tick's identity, so that no submission of another kind can have the same one.
const FORM: &[u8] = b"koinon.tick.v1";

/// After so many jobs no further schedule is fired in a transaction.
const JOBS_MAX: usize = 100;

/// Whether a schedule can be stored as it is, as [`check`](super::check) says it of its jobs.
///
/// # Errors
///
/// [`Error::Invalid`] if a text of its authority is too long or has a control character.
pub fn check_schedule(new: &NewSchedule) -> Result<(), Error> {
    match &new.template.authority {
        Some(authority) if !is_storable(authority) => Err(not_storable()),
        Some(_) | None => Ok(()),
    }
}

/// A new schedule.
#[must_use]
pub fn schedule(new: NewSchedule, now: Timestamp) -> Schedule {
    let NewSchedule { id, tenant, name, cadence, missed, mut template } = new;
    template.limits = template.limits.countable();
    let next_at = cadence.next(now, now);
    Schedule {
        id,
        tenant,
        name,
        cadence,
        missed,
        template,
        added_at: now,
        paused_at: None,
        next_at,
        last: None,
    }
}

/// A schedule after a request; `None` if it is so already.
#[must_use]
pub fn control_schedule(
    mut schedule: Schedule,
    request: ScheduleControl,
    now: Timestamp,
) -> Option<Schedule> {
    match (request, schedule.paused_at) {
        (ScheduleControl::Pause, None) => {
            schedule.paused_at = Some(now);
            schedule.next_at = None;
        }
        (ScheduleControl::Resume, Some(_)) => {
            schedule.paused_at = None;
            schedule.next_at = schedule.cadence.next(schedule.added_at, now);
        }
        (ScheduleControl::Pause, Some(_)) | (ScheduleControl::Resume, None) => return None,
    }
    Some(schedule)
}

/// What a schedule does now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticked {
    /// It, moved on.
    pub schedule: Schedule,
    /// The ticks, and the job of each, in their order.
    pub jobs: Vec<(Timestamp, Submission)>,
    /// Whether ticks were missed that make no job.
    pub skipped: bool,
}

/// What due schedules do now. Those at the end of the list are left for the next time if the others make
/// many jobs.
#[must_use]
pub fn tick(schedules: Vec<Schedule>, now: Timestamp) -> Vec<Ticked> {
    let (mut ticked, mut jobs) = (Vec::new(), 0);
    for schedule in schedules {
        if jobs >= JOBS_MAX {
            break;
        }
        if let Some(one) = tick_one(schedule, now) {
            jobs += one.jobs.len();
            ticked.push(one);
        }
    }
    ticked
}

fn tick_one(mut schedule: Schedule, now: Timestamp) -> Option<Ticked> {
    let next_at = schedule.next_at.filter(|next_at| *next_at <= now)?;
    let due = due(&schedule.cadence, schedule.missed, schedule.added_at, next_at, now);
    schedule.next_at = due.next_at;
    let jobs = due.ticks.into_iter().map(|tick| (tick, submission(&schedule, tick))).collect();
    Some(Ticked { schedule, jobs, skipped: due.skipped })
}

/// The job of a tick. Its id and its identity come from the schedule and the instant, so that whoever fires
/// the same tick makes the same job.
fn submission(schedule: &Schedule, tick: Timestamp) -> Submission {
    let identity = Digest::of_fields(&[
        FORM,
        schedule.id.as_uuid().as_bytes(),
        &tick.as_micros().to_be_bytes(),
    ]);
    let mut random = [0; 10];
    random.copy_from_slice(identity.as_bytes().first_chunk::<10>().unwrap_or(&[0; 10]));
    let millis = u64::try_from(tick.as_micros() / 1_000).unwrap_or_default();
    let id = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    Submission { job: job(schedule, id, identity), if_exists: IfExists::Return }
}

/// A job of the schedule beside its ticks, as somebody asks for now.
#[must_use]
pub fn run_now(schedule: &Schedule, id: JobId) -> Submission {
    let identity = Digest::of_fields(&[
        FORM,
        schedule.id.as_uuid().as_bytes(),
        b"now",
        id.as_uuid().as_bytes(),
    ]);
    Submission { job: job(schedule, id.as_uuid(), identity), if_exists: IfExists::Return }
}

fn job(schedule: &Schedule, id: Uuid, identity: Digest) -> NewJob {
    let Template { project, kind, queue, priority, payload, authority, limits, max_attempts } =
        schedule.template.clone();
    NewJob {
        id: JobId::from_uuid(id),
        tenant: schedule.tenant.clone(),
        project,
        kind,
        queue,
        identity,
        priority,
        payload,
        authority,
        limits,
        max_attempts,
    }
}
