//! Ticks at fixed instants.

mod clocks;
mod expressions;
mod intervals;
mod missed;

use koinon_domain::Timestamp;

/// The instant that an RFC 3339 text names.
fn at(text: &str) -> Timestamp {
    Timestamp::from_micros(text.parse::<jiff::Timestamp>().unwrap().as_microsecond())
}
