//! Values on their way into the database and out of it.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use koinon_domain::Timestamp;
use koinon_store::row::Fields;
use rusqlite::Statement;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub(crate) use rusqlite::types::Value;

/// What a statement is given for one of its arguments. It borrows what it can: a row of the writer has many.
#[derive(Debug)]
pub(crate) enum Given<'a> {
    Null,
    Number(i64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Id(Uuid),
}

impl ToSql for Given<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Id(id) => ValueRef::Blob(id.as_bytes()),
        }))
    }
}

impl From<i64> for Given<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Given<'_> {
    fn from(flag: bool) -> Self {
        Self::Number(i64::from(flag))
    }
}

impl<'a> From<&'a str> for Given<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Given<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a [u8]> for Given<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<Vec<u8>> for Given<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<Uuid> for Given<'_> {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl<'a, T: Into<Self>> From<Option<T>> for Given<'a> {
    fn from(some: Option<T>) -> Self {
        some.map_or(Self::Null, T::into)
    }
}

/// The value itself may be anything, so it is not told.
fn mistaken(value: &Value, wanted: &str) -> String {
    format!("is {}, not {wanted}", value.data_type())
}

/// The names of the columns that a statement answers with.
#[derive(Debug)]
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn of(statement: &Statement<'_>) -> Arc<Self> {
        Arc::new(Self(statement.column_names().into_iter().map(str::to_owned).collect()))
    }

    /// The place of a column, which is looked for from another place on.
    fn place(&self, column: &str, from: usize) -> Option<usize> {
        let (before, after) = self.0.split_at_checked(from)?;
        let place = after.iter().position(|name| name == column).map(|place| from + place);
        place.or_else(|| before.iter().position(|name| name == column))
    }
}

/// A row that was read. Its columns are asked for in about their order, so that each is looked for behind the one
/// before: that takes less than a hash of its name.
#[derive(Debug)]
pub(crate) struct Row {
    names: Arc<Names>,
    values: Vec<Value>,
    /// Behind the column that was asked for last.
    next: Cell<usize>,
}

impl Row {
    pub(crate) fn read(names: &Arc<Names>, row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let count = row.as_ref().column_count();
        let mut values = Vec::with_capacity(count);
        for place in 0..count {
            values.push(owned(row.get_ref(place)?));
        }
        Ok(Self { names: Arc::clone(names), values, next: Cell::new(0) })
    }

    /// The value of a column, if it is not NULL.
    fn get(&self, column: &str) -> Result<Option<&Value>, String> {
        let place = self.names.place(column, self.next.get());
        let value = place.and_then(|place| self.values.get(place)).ok_or("is not there")?;
        self.next.set(place.map_or(0, |place| place + 1));
        Ok(Some(value).filter(|value| **value != Value::Null))
    }
}

impl Fields for Row {
    fn number(&self, column: &str) -> Result<Option<i64>, String> {
        match self.get(column)? {
            None => Ok(None),
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(other) => Err(mistaken(other, "a number")),
        }
    }

    fn flag(&self, column: &str) -> Result<Option<bool>, String> {
        Ok(self.number(column)?.map(|number| number != 0))
    }

    fn text(&self, column: &str) -> Result<Option<&str>, String> {
        match self.get(column)? {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(mistaken(other, "text")),
        }
    }

    fn bytes(&self, column: &str) -> Result<Option<&[u8]>, String> {
        match self.get(column)? {
            None => Ok(None),
            Some(Value::Blob(bytes)) => Ok(Some(bytes)),
            Some(other) => Err(mistaken(other, "bytes")),
        }
    }

    fn id(&self, column: &str) -> Result<Option<Uuid>, String> {
        let bytes = self.bytes(column)?;
        bytes.map(Uuid::from_slice).transpose().map_err(|error| error.to_string())
    }

    fn instant(&self, column: &str) -> Result<Option<Timestamp>, String> {
        Ok(self.number(column)?.map(Timestamp::from_micros))
    }

    fn document<T: DeserializeOwned + 'static>(&self, column: &str) -> Result<Option<T>, String> {
        let text = self.text(column)?;
        text.map(serde_json::from_str).transpose().map_err(|error| error.to_string())
    }
}

/// Text that is no text is kept as bytes, so that it spoils its own column only.
fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Blob(bytes.to_vec()),
        },
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}
