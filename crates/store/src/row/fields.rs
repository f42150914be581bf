//! What an adapter can say about a row.

use koinon_domain::Timestamp;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// A row that an adapter has read. Each method answers the value of a column, `None` for NULL, or why there is no
/// such value: the column is missing or of another kind.
#[expect(clippy::missing_errors_doc, reason = "the errors are the same for all and stand above")]
pub trait Fields {
    /// A number.
    fn number(&self, column: &str) -> Result<Option<i64>, String>;
    /// Yes or no.
    fn flag(&self, column: &str) -> Result<Option<bool>, String>;
    /// Text.
    fn text(&self, column: &str) -> Result<Option<&str>, String>;
    /// Bytes.
    fn bytes(&self, column: &str) -> Result<Option<&[u8]>, String>;
    /// An id.
    fn id(&self, column: &str) -> Result<Option<Uuid>, String>;
    /// An instant.
    fn instant(&self, column: &str) -> Result<Option<Timestamp>, String>;
    /// A JSON document.
    fn document<T: DeserializeOwned + 'static>(&self, column: &str) -> Result<Option<T>, String>;
}

/// What a column can be read as. As an `Option` it may be NULL.
pub trait Value<'r>: Sized {
    /// The value of a column.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn of<F: Fields>(row: &'r F, column: &str) -> Result<Self, String>;
}

/// A type of value, and the method that reads it.
macro_rules! value {
    ($type:ty, $row:ident, $column:ident => $read:expr) => {
        impl<'r> Value<'r> for Option<$type> {
            fn of<F: Fields>($row: &'r F, $column: &str) -> Result<Self, String> {
                $read
            }
        }

        impl<'r> Value<'r> for $type {
            fn of<F: Fields>(row: &'r F, column: &str) -> Result<Self, String> {
                Option::<$type>::of(row, column)?.ok_or_else(|| "is NULL".to_owned())
            }
        }
    };
}

value!(i64, row, column => row.number(column));
value!(bool, row, column => row.flag(column));
value!(&'r str, row, column => row.text(column));
value!(String, row, column => Ok(row.text(column)?.map(str::to_owned)));
value!(&'r [u8], row, column => row.bytes(column));
value!(Vec<u8>, row, column => Ok(row.bytes(column)?.map(<[u8]>::to_vec)));
value!(Uuid, row, column => row.id(column));
value!(Timestamp, row, column => row.instant(column));
