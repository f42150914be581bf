//! Values on their way into the database and out of it.

use std::cell::Cell;
use std::sync::Arc;

use koinon_domain::Timestamp;
use koinon_store::row::Fields;
use rusqlite::Statement;
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub(crate) use rusqlite::types::Value;

/// What can be an argument of a statement.
pub(crate) trait Argument {
    fn into_value(self) -> Value;
}

impl Argument for i64 {
    fn into_value(self) -> Value {
        Value::Integer(self)
    }
}

impl Argument for bool {
    fn into_value(self) -> Value {
        Value::Integer(i64::from(self))
    }
}

impl Argument for &str {
    fn into_value(self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl Argument for String {
    fn into_value(self) -> Value {
        Value::Text(self)
    }
}

impl Argument for &[u8] {
    fn into_value(self) -> Value {
        Value::Blob(self.to_vec())
    }
}

impl Argument for Vec<u8> {
    fn into_value(self) -> Value {
        Value::Blob(self)
    }
}

impl Argument for Uuid {
    fn into_value(self) -> Value {
        Value::Blob(self.into_bytes().to_vec())
    }
}

impl<T: Argument> Argument for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
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
