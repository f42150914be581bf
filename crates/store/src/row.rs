//! Rows become domain types, the same way in every adapter.
//!
//! An adapter says what stands in the columns of its rows ([`Fields`]). The columns have the same names and meanings in
//! all schemas. What does not hold what it should is [`Error::Corrupt`](crate::Error::Corrupt), which names the row and
//! the column.

mod backlog;
mod blob_names;
mod calls;
mod checkpoint;
mod columns;
mod document;
mod entry;
mod event;
mod fields;
mod job;
mod number;
mod old_page;
mod peek;
mod run;
mod running;
mod schedule;
mod status;
mod worker;

pub use self::backlog::backlog;
pub use self::blob_names::names_page;
pub use self::calls::calls;
pub use self::checkpoint::checkpoint;
pub use self::columns::Columns;
pub use self::document::{AuthorityDocument, LimitsDocument, artifacts, json, prices};
pub use self::entry::{entry, hold};
pub use self::event::event;
pub use self::fields::{Fields, Value};
pub use self::job::{spec, starts};
pub use self::number::{int, micros};
pub use self::old_page::old_page;
pub use self::peek::peek;
pub use self::run::run;
pub use self::running::running;
pub use self::schedule::schedule;
pub use self::status::{listed, loaded, status};
pub use self::worker::worker;
