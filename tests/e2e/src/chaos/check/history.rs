//! The history has no gap, its transitions chain, and it tells of one end.

use super::{Finding, Promise};
use crate::chaos::tables::Record;

const TERMINAL: [&str; 3] = ["succeeded", "failed", "cancelled"];

pub(super) fn check(job: &str, record: &Record) -> Vec<Finding> {
    let Some(standing) = record.standing() else { return Vec::new() };
    let mut says = Vec::new();
    let (mut seq, mut state, mut at, mut generation) = (0, None, i64::MIN, 0);
    let mut ends = 0;
    for event in &record.events {
        let name = &event.name;
        if event.seq != seq + 1 {
            says.push(format!("event {} follows event {seq}", event.seq));
        }
        if event.at < at {
            says.push(format!("event {} ({name}) is earlier than the one before", event.seq));
        }
        if event.generation < generation {
            says.push(format!("event {} ({name}) is of an older generation", event.seq));
        }
        if event.to_state.is_some() {
            if event.from_state.as_deref() != state {
                says.push(format!(
                    "{name} leaves {:?}, and the job was {state:?}",
                    event.from_state
                ));
            }
            state = event.to_state.as_deref();
            ends += usize::from(state.is_some_and(|state| TERMINAL.contains(&state)));
        }
        (seq, at, generation) = (event.seq, event.at, event.generation);
    }
    if seq != standing.event_seq {
        says.push(format!("the last event is {seq}, and the row says {}", standing.event_seq));
    }
    if state != Some(standing.state.as_str()) {
        says.push(format!("the history ends {state:?}, and the row says {}", standing.state));
    }
    if ends != usize::from(TERMINAL.contains(&standing.state.as_str())) {
        says.push(format!("{ends} terminal events, and the job is {}", standing.state));
    }
    says.into_iter().map(|says| Finding::new(Promise::EventGap, job, says)).collect()
}
