//! Rows as JSON objects, so that both databases say them alike.

use super::AXES;

/// Which database is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::chaos) enum Dialect {
    Sqlite,
    Postgres,
}

/// A column, by how the two databases differ about it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    /// A text or a number.
    Plain(&'static str),
    /// An id, told as 32 hexadecimal digits.
    Id(&'static str),
    /// Bytes, told in hexadecimal digits.
    Bytes(&'static str),
    /// An instant, told in microseconds since 1970.
    Instant(&'static str),
    /// JSON.
    Json(&'static str),
    /// Yes or no, told as 1 or 0.
    Flag(&'static str),
    /// The four columns of the ledger's axes, under a prefix unless it is `amounts`.
    Axes(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Plain(name)
            | Self::Id(name)
            | Self::Bytes(name)
            | Self::Instant(name)
            | Self::Json(name)
            | Self::Flag(name)
            | Self::Axes(name) => name,
        }
    }

    fn value(self, dialect: Dialect) -> String {
        let name = self.name();
        match (self, dialect) {
            (Self::Plain(_), _) => name.to_owned(),
            (Self::Id(_) | Self::Bytes(_), Dialect::Sqlite) => {
                format!("CASE WHEN {name} IS NULL THEN NULL ELSE lower(hex({name})) END")
            }
            (Self::Id(_), Dialect::Postgres) => format!("replace({name}::text, '-', '')"),
            (Self::Bytes(_), Dialect::Postgres) => format!("encode({name}, 'hex')"),
            (Self::Instant(_), Dialect::Sqlite) => name.to_owned(),
            (Self::Instant(_), Dialect::Postgres) => {
                format!("(extract(epoch FROM {name}) * 1000000)::bigint")
            }
            (Self::Json(_), Dialect::Sqlite) => format!("json({name})"),
            (Self::Json(_), Dialect::Postgres) => name.to_owned(),
            (Self::Flag(_), _) => format!("CAST({name} AS int)"),
            (Self::Axes(_), _) => axes(name, dialect),
        }
    }
}

fn axes(name: &str, dialect: Dialect) -> String {
    let prefix = if name == "amounts" { String::new() } else { format!("{name}_") };
    let columns = AXES.map(|axis| format!("{prefix}{axis}")).join(", ");
    let function = match dialect {
        Dialect::Sqlite => "json_array",
        Dialect::Postgres => "json_build_array",
    };
    format!("{function}({columns})")
}

/// The statement that reads the columns of a table, each row one JSON object.
pub(super) fn select(dialect: Dialect, table: &str, columns: &[Column], order: &str) -> String {
    let pairs: Vec<_> = columns
        .iter()
        .map(|column| format!("'{}', {}", column.name(), column.value(dialect)))
        .collect();
    let pairs = pairs.join(", ");
    match dialect {
        Dialect::Sqlite => format!("SELECT json_object({pairs}) FROM {table} ORDER BY {order}"),
        Dialect::Postgres => {
            format!("SELECT json_build_object({pairs})::text FROM {table} ORDER BY {order}")
        }
    }
}
