//! What a migration does to the columns that are there. Workers of the version before work on while the schema gets
//! newer, so it adds what they need not know, and takes nothing away.

use std::collections::BTreeMap;

use anyhow::Context as _;

use crate::problem::Problem;
use crate::tree::File;

/// How a migration says that it cannot be run under workers of the version before, and why.
const EXEMPT: &str = "-- Not under older workers: ";

/// The columns of a schema, each as `table.column`.
#[derive(Debug, Default)]
pub(super) struct Columns(BTreeMap<String, Column>);

#[derive(Debug, PartialEq, Eq)]
struct Column {
    kind: String,
    /// Whether a row that does not name it is refused.
    is_required: bool,
}

impl Columns {
    /// Reads the lines that the statements in `columns.sql` and `columns_postgres.sql` answer.
    pub(super) fn read<'l>(lines: impl IntoIterator<Item = &'l str>) -> anyhow::Result<Self> {
        let column = |line: &'l str| {
            let mut parts = line.split('|');
            let (name, kind) = (parts.next()?, parts.next()?);
            let column = Column { kind: kind.to_owned(), is_required: parts.next()? == "required" };
            Some((name.to_owned(), column))
        };
        let columns = lines.into_iter().map(|line| column(line).context("no line of a column"));
        Ok(Self(columns.collect::<anyhow::Result<_>>()?))
    }

    /// What the migration that makes these columns of others breaks for workers of the version before, if anything.
    pub(super) fn breach(&self, before: &Self, migration: &File) -> Option<Problem> {
        if migration.text.lines().any(|line| line.starts_with(EXEMPT)) {
            return None;
        }
        let lost = before.0.iter().find_map(|(name, column)| match self.0.get(name) {
            None => Some(format!("takes {name} away")),
            Some(now) if now.kind != column.kind => Some(format!("changes the type of {name}")),
            Some(now) if now.is_required && !column.is_required => {
                Some(format!("refuses rows without {name}"))
            }
            Some(_) => None,
        });
        let of_old_table = |name: &str| {
            let table = name.split_once('.').map(|(table, _)| table);
            before.0.keys().any(|known| known.split_once('.').map(|(table, _)| table) == table)
        };
        let asked = || {
            let added = self.0.iter().filter(|(name, _)| !before.0.contains_key(*name));
            let mut asked = added.filter(|(name, now)| now.is_required && of_old_table(name));
            asked.next().map(|(name, _)| format!("refuses rows without {name}"))
        };
        let breaks = lost.or_else(asked)?;
        let says = format!(
            "{breaks}, and workers of the version before work on during an upgrade. If that cannot be \
             helped, say why in a line `{EXEMPT}…`, and in CHANGELOG.md that they are to be stopped first"
        );
        Some(Problem::new(&migration.path, says))
    }
}
