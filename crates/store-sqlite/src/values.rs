//! Values on their way into the database and out of it.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Statement;
use rusqlite::types::ValueRef;
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

/// What a column can be read as; the error says what stands there instead.
pub(crate) trait FromValue<'r>: Sized {
    fn from_value(value: &'r Value) -> Result<Self, String>;
}

impl FromValue<'_> for i64 {
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Integer(number) => Ok(*number),
            other => Err(mistaken(other, "a number")),
        }
    }
}

impl FromValue<'_> for bool {
    fn from_value(value: &Value) -> Result<Self, String> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl<'r> FromValue<'r> for &'r str {
    fn from_value(value: &'r Value) -> Result<Self, String> {
        match value {
            Value::Text(text) => Ok(text),
            other => Err(mistaken(other, "text")),
        }
    }
}

impl FromValue<'_> for String {
    fn from_value(value: &Value) -> Result<Self, String> {
        <&str>::from_value(value).map(str::to_owned)
    }
}

impl<'r> FromValue<'r> for &'r [u8] {
    fn from_value(value: &'r Value) -> Result<Self, String> {
        match value {
            Value::Blob(bytes) => Ok(bytes),
            other => Err(mistaken(other, "bytes")),
        }
    }
}

impl FromValue<'_> for Vec<u8> {
    fn from_value(value: &Value) -> Result<Self, String> {
        <&[u8]>::from_value(value).map(<[u8]>::to_vec)
    }
}

impl FromValue<'_> for Uuid {
    fn from_value(value: &Value) -> Result<Self, String> {
        Self::from_slice(<&[u8]>::from_value(value)?).map_err(|error| error.to_string())
    }
}

impl<'r, T: FromValue<'r>> FromValue<'r> for Option<T> {
    fn from_value(value: &'r Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// The value itself may be anything, so it is not told.
fn mistaken(value: &Value, wanted: &str) -> String {
    format!("is {}, not {wanted}", value.data_type())
}

/// The names of the columns that a statement answers with.
#[derive(Debug)]
pub(crate) struct Names(HashMap<String, usize>);

impl Names {
    pub(crate) fn of(statement: &Statement<'_>) -> Arc<Self> {
        let names = statement.column_names();
        Arc::new(Self(names.into_iter().map(str::to_owned).zip(0..).collect()))
    }
}

/// A row that was read.
#[derive(Debug)]
pub(crate) struct Row {
    names: Arc<Names>,
    values: Vec<Value>,
}

impl Row {
    pub(crate) fn read(names: &Arc<Names>, row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let count = row.as_ref().column_count();
        let values = (0..count).map(|place| row.get_ref(place).map(owned));
        Ok(Self { names: Arc::clone(names), values: values.collect::<Result<_, _>>()? })
    }

    /// The value of a column.
    pub(crate) fn get<'r, T: FromValue<'r>>(&'r self, column: &str) -> Result<T, String> {
        let value = self.names.0.get(column).and_then(|place| self.values.get(*place));
        T::from_value(value.ok_or("is not there")?)
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
