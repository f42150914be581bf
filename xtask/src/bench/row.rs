//! One measured row, and how it is told to people and to programs.

use std::io::{self, Write};

use serde::Serialize;

use super::floors::{Floor, Measure};

/// What was measured, beside what it has to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    bench: &'static str,
    value: f64,
    unit: &'static str,
    against: Option<&'static str>,
    base: Option<f64>,
    ratio: Option<f64>,
    floor: Option<f64>,
    aim: Option<f64>,
    holds: bool,
}

impl Row {
    /// The row of a measure that is compared with nothing.
    #[must_use]
    pub fn plain(measure: &Measure, value: f64) -> Self {
        Self::new(measure, value, None)
    }

    /// The row of a measure that is compared with what was measured in the same run.
    #[must_use]
    pub fn compared(measure: &Measure, value: f64, base: f64) -> Self {
        Self::new(measure, value, Some(base))
    }

    /// Its name.
    #[must_use]
    pub const fn bench(&self) -> &'static str {
        self.bench
    }

    /// Whether the floor holds.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.holds
    }

    fn new(measure: &Measure, value: f64, base: Option<f64>) -> Self {
        let ratio = base.map(|base| value / base);
        let (floor, holds) = match measure.floor {
            Floor::None => (None, true),
            Floor::ValueAtMost(most) => (Some(most), value <= most),
            Floor::RatioAtMost(most) => (Some(most), ratio.is_some_and(|ratio| ratio <= most)),
            Floor::RatioAtLeast(least) => (Some(least), ratio.is_some_and(|ratio| ratio >= least)),
        };
        Self {
            bench: measure.bench,
            value,
            unit: measure.unit,
            against: measure.against,
            base,
            ratio,
            floor,
            aim: measure.aim,
            holds,
        }
    }
}

/// Writes one JSON object a line.
///
/// # Errors
///
/// When the output cannot be written.
pub fn write_json(rows: &[Row], output: &mut impl Write) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *output, row)?;
        writeln!(output)?;
    }
    Ok(())
}

/// Writes a table for people.
///
/// # Errors
///
/// When the output cannot be written.
pub fn write_table(rows: &[Row], output: &mut impl Write) -> io::Result<()> {
    let head = ["bench", "value", "unit", "base", "ratio", "floor", "aim", "holds", "against"];
    write_columns(&head, &rows.iter().map(cells).collect::<Vec<_>>(), output)
}

/// Writes lines with their cells below one another.
pub(super) fn write_columns<const N: usize>(
    head: &[&str; N],
    rows: &[[String; N]],
    output: &mut impl Write,
) -> io::Result<()> {
    let head = head.map(str::to_owned);
    let lines: Vec<&[String; N]> = std::iter::once(&head).chain(rows).collect();
    let width = |column: usize| {
        lines.iter().map(|line| line.get(column).map_or(0, |cell| cell.chars().count())).max()
    };
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    for line in &lines {
        let padded: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(output, "{}", padded.join("  ").trim_end())?;
    }
    Ok(())
}

/// A number as a table has it; a dash where there is none.
pub(super) fn number(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}

fn cells(row: &Row) -> [String; 9] {
    [
        row.bench.to_owned(),
        number(Some(row.value)),
        row.unit.to_owned(),
        number(row.base),
        number(row.ratio),
        number(row.floor),
        number(row.aim),
        if row.holds { "ok" } else { "MISSED" }.to_owned(),
        row.against.unwrap_or("-").to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::floors::DATASET;
    use super::{Row, write_json, write_table};

    fn rows() -> Vec<Row> {
        let [overhead, _, _, _, sixteen, rss, _] = &DATASET;
        vec![
            Row::compared(overhead, 4.5, 1.5),
            Row::compared(sixteen, 290.0, 100.0),
            Row::plain(rss, 80.0),
        ]
    }

    #[test]
    fn a_floor_holds_up_to_its_edge_and_a_row_says_when_it_does_not() {
        let holds: Vec<bool> = rows().iter().map(|row| row.holds).collect();
        assert_eq!(holds, [true, false, true]);
    }

    #[test]
    fn a_floor_on_a_ratio_does_not_hold_without_one() {
        assert!(!Row::plain(&DATASET[0], 0.0).holds);
        assert!(!Row::compared(&DATASET[0], 0.0, 0.0).holds, "0 / 0 is no ratio");
    }

    #[test]
    fn json_is_one_object_a_line_with_every_field() {
        let mut output = Vec::new();
        write_json(&rows(), &mut output).expect("written");
        let text = String::from_utf8(output).expect("text");
        assert_eq!(text.lines().count(), 3);
        assert_eq!(
            text.lines().next(),
            Some(
                "{\"bench\":\"overhead_p50\",\"value\":4.5,\"unit\":\"ms\",\"against\":\"two bare \
                 durable commits\",\"base\":1.5,\"ratio\":3.0,\"floor\":3.0,\"aim\":2.0,\"holds\":true}"
            )
        );
        assert!(
            text.contains("\"against\":null,\"base\":null,\"ratio\":null,\"floor\":100.0"),
            "{text}"
        );
    }

    #[test]
    fn the_table_stands_in_columns() {
        let mut output = Vec::new();
        write_table(&rows(), &mut output).expect("written");
        let expected = "\
bench           value   unit     base    ratio  floor   aim    holds   against
overhead_p50    4.50    ms       1.50    3.00   3.00    2.00   ok      two bare durable commits
items_per_s_16  290.00  items/s  100.00  2.90   3.00    6.00   MISSED  items_per_s_1
peak_rss        80.00   MB       -       -      100.00  60.00  ok      -
";
        assert_eq!(String::from_utf8(output).expect("text"), expected);
    }
}
