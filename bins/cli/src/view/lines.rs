//! Results as people read them: pairs line by line, and tables.

use std::fmt;

use comfy_table::{Table, presets};

/// Names and values, one pair a line, the values in one column.
#[derive(Debug, Default)]
pub(crate) struct Lines(Vec<(&'static str, String)>);

impl Lines {
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push((name, value.into()));
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, value) in &self.0 {
            writeln!(f, "{name:width$}  {value}")?;
        }
        Ok(())
    }
}

/// A table without frames; just its header where there are no rows.
pub(crate) fn table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    // Every cell has a space to its left; the first column need not.
    table.lines().map(|line| format!("{}\n", line.trim())).collect()
}
