//! Telling tables of separated values.

use super::MediaType;
use crate::dataset::parse::csv::{DELIMITERS, Records};

/// How many records are looked at.
const RECORDS: usize = 50;
/// Longer fields than this are prose with commas.
const LONGEST_NAME: usize = 64;

/// Whether the text is a table: its records agree on the number of fields.
pub(super) fn is_csv(sample: &str, named: Option<MediaType>) -> bool {
    let promised = named == Some(MediaType::Csv);
    // Bars also draw Markdown tables, so that they count only with the name.
    let delimiters = DELIMITERS.iter().filter(|delimiter| promised || **delimiter != '|');
    delimiters.into_iter().any(|delimiter| agrees(sample, *delimiter, promised))
}

fn agrees(sample: &str, delimiter: char, promised: bool) -> bool {
    let mut records = Records::new(sample, delimiter);
    let Some(head) = records.next() else { return false };
    let columns = head.fields.len();
    let names_fit = head.fields.iter().all(|field| {
        let name = sample.get(field.inner.clone()).unwrap_or_default();
        name.len() <= LONGEST_NAME && !name.trim_end().ends_with(['.', '?', '!'])
    });
    let (mut same, mut all) = (0, 0);
    // The sample may end in the middle of a record.
    for record in records.take(RECORDS) {
        all += 1;
        same += usize::from(record.fields.len() == columns);
    }
    if promised {
        return columns >= 2;
    }
    let least = if delimiter == '\t' { 2 } else { 3 };
    columns >= least && names_fit && all >= 2 && same * 10 >= all * 9 - 9
}
