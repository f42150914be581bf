//! Cron expressions in a time zone.

use croner::Direction;
use croner::parser::{CronParser, Seconds, Year};
use jiff::Zoned;
use jiff::tz::TimeZone;
use koinon_domain::Timestamp;

use crate::Invalid;

/// The fields of an expression of six; one of five has no seconds and ticks at second 0.
const FIELDS: [&str; 6] = ["second", "minute", "hour", "day of month", "month", "day of week"];

/// The most bytes of an expression.
const EXPRESSION_MAX_BYTES: usize = 200;

const HOUR: i64 = 3_600_000_000;

/// Longer than any gap that a zone ever had.
const GAP_HOURS_MAX: i64 = 48;

/// No search begins before this second of the year 5, because the library's calendar begins with the year 1.
const EARLIEST_SECOND: i64 = -62_000_000_000;

/// A cron expression of five fields, or of six with seconds in front, in a time zone.
///
/// An expression names local times. Where the zone moves its clocks, a local time may not exist, or
/// exist twice. An expression whose second, minute and hour are one number each ticks once on each of its
/// days: where its time does not exist, at the first instant behind the gap, and where it exists twice,
/// at the first of the two; a day that the zone leaves out as a whole has no tick. Any other expression
/// (`*`, a list, a range or a step in one of the three) ticks at every instant at which a clock on the wall
/// shows one of its times: not at those that do not exist, and twice at those that exist twice.
///
/// The rules of zones come from the system (`/usr/share/zoneinfo`, or where `TZDIR` says), and from the
/// copy in the program where the system has none.
#[derive(Debug, Clone)]
pub struct Cron {
    expression: String,
    zone_name: String,
    cron: Box<croner::Cron>,
    zone: TimeZone,
}

impl Cron {
    /// Makes a cron expression in the zone of that IANA name.
    ///
    /// # Errors
    ///
    /// [`Invalid`] says what cannot be read. An expression that never comes, such as the 30th of
    /// February, is [`Invalid::Expression`] too.
    pub fn try_new(expression: &str, zone_name: &str) -> Result<Self, Invalid> {
        let expression = expression.split_whitespace().collect::<Vec<_>>().join(" ");
        let cron = Box::new(parse(&expression)?);
        let zone =
            TimeZone::get(zone_name).map_err(|_| Invalid::Zone(shown(zone_name).to_owned()))?;
        let cron = Self { expression, zone_name: zone_name.to_owned(), cron, zone };
        if cron.find(Timestamp::from_micros(0), Direction::Forward).is_none() {
            return Err(whole(&cron.expression, "it never comes"));
        }
        Ok(cron)
    }

    /// The expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// The name of the zone.
    #[must_use]
    pub fn zone(&self) -> &str {
        &self.zone_name
    }

    pub(crate) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        self.find_over_gaps(after, Direction::Forward).filter(|tick| *tick > after)
    }

    pub(crate) fn last(&self, until: Timestamp) -> Option<Timestamp> {
        self.find_over_gaps(until, Direction::Backward).filter(|tick| *tick <= until)
    }

    /// The library gives up at a gap of more than two hours, such as a day that a zone leaves out: then the
    /// search goes on from an hour further, until it is past the gap.
    fn find_over_gaps(&self, from: Timestamp, direction: Direction) -> Option<Timestamp> {
        let hour = match direction {
            Direction::Forward => HOUR,
            Direction::Backward => -HOUR,
        };
        let starts =
            (0..GAP_HOURS_MAX).filter_map(|hours| from.as_micros().checked_add(hours * hour));
        starts.map(Timestamp::from_micros).find_map(|from| self.find(from, direction))
    }

    fn find(&self, from: Timestamp, direction: Direction) -> Option<Timestamp> {
        let from = self.local(from)?;
        let found = match direction {
            Direction::Forward => self.cron.find_next_occurrence(&from, false),
            Direction::Backward => self.cron.find_previous_occurrence(&from, true),
        };
        instant(&found.ok()?)
    }

    fn local(&self, at: Timestamp) -> Option<Zoned> {
        let second = at.as_micros().div_euclid(1_000_000).max(EARLIEST_SECOND);
        Some(jiff::Timestamp::from_second(second).ok()?.to_zoned(self.zone.clone()))
    }
}

impl PartialEq for Cron {
    fn eq(&self, other: &Self) -> bool {
        (&self.expression, &self.zone_name) == (&other.expression, &other.zone_name)
    }
}

impl Eq for Cron {}

fn instant(at: &Zoned) -> Option<Timestamp> {
    at.timestamp().as_second().checked_mul(1_000_000).map(Timestamp::from_micros)
}

fn parser() -> CronParser {
    CronParser::builder().seconds(Seconds::Optional).year(Year::Disallowed).build()
}

/// Reads an expression, and says which field is wrong if one is.
fn parse(expression: &str) -> Result<croner::Cron, Invalid> {
    if expression.len() > EXPRESSION_MAX_BYTES {
        return Err(whole(shown(expression), "it is longer than 200 bytes"));
    }
    let values: Vec<&str> = expression.split(' ').collect();
    let is_nickname = values.len() == 1 && expression.starts_with('@');
    if !is_nickname {
        let names = match values.len() {
            5 => &FIELDS[1..],
            6 => &FIELDS[..],
            _ => {
                let reason = "it has five fields (minute, hour, day of month, month, day of week), or six \
                              with the second in front";
                return Err(whole(expression, reason));
            }
        };
        for (index, (name, value)) in names.iter().zip(&values).enumerate() {
            check_field(name, value, index, values.len())?;
        }
    }
    parser().parse(expression).map_err(|error| whole(expression, &told(&error)))
}

/// Reads one field among others that are surely right.
fn check_field(
    field: &'static str,
    value: &str,
    index: usize,
    count: usize,
) -> Result<(), Invalid> {
    let mut values = vec!["*"; count];
    if let Some(place) = values.get_mut(index) {
        *place = value;
    }
    match parser().parse(&values.join(" ")) {
        Ok(_) if !value.contains('@') => Ok(()),
        Ok(_) => Err(wrong(field, value, "a name with @ stands alone")),
        Err(error) => Err(wrong(field, value, &told(&error))),
    }
}

fn wrong(field: &'static str, value: &str, reason: &str) -> Invalid {
    Invalid::Field { field, value: value.to_owned(), reason: reason.to_owned() }
}

fn whole(expression: &str, reason: &str) -> Invalid {
    Invalid::Expression { expression: expression.to_owned(), reason: reason.to_owned() }
}

/// As much of a text as belongs into a message.
fn shown(text: &str) -> &str {
    text.char_indices().nth(80).map_or(text, |(end, _)| text.get(..end).unwrap_or_default())
}

/// What the library says, without the name of its own kind of error in front.
fn told(error: &croner::errors::CronError) -> String {
    use croner::errors::CronError;

    let text = match error {
        CronError::InvalidPattern(text)
        | CronError::IllegalCharacters(text)
        | CronError::ComponentError(text) => text.clone(),
        CronError::EmptyPattern => "it is empty".to_owned(),
        CronError::InvalidDate | CronError::InvalidTime | CronError::TimeSearchLimitExceeded => {
            error.to_string()
        }
    };
    text.trim_end_matches('.').to_owned()
}
