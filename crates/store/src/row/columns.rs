//! Reading the columns of a row by their names, with errors that say which.

use std::fmt::Display;
use std::time::Duration;

use koinon_domain::{Digest, Generation, HoldId, JobId, Timestamp, WorkerId};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{Fields, Value};
use crate::Error;

/// A row of a certain kind, which errors name. All errors are [`Error::Corrupt`].
#[derive(Debug)]
pub struct Columns<'r, F> {
    row: &'r F,
    what: &'static str,
}

#[expect(clippy::missing_errors_doc, reason = "the error is the same for all and stands above")]
impl<'r, F: Fields> Columns<'r, F> {
    /// The columns of a row; `what` it is stands in errors.
    pub const fn new(row: &'r F, what: &'static str) -> Self {
        Self { row, what }
    }

    /// A value of a type that databases have.
    pub fn get<T: Value<'r>>(&self, column: &str) -> Result<T, Error> {
        T::of(self.row, column).map_err(|error| self.corrupt(column, error))
    }

    /// A number of a narrower type.
    pub fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, Error> {
        T::try_from(self.get(column)?).map_err(|_| self.corrupt(column, "out of range"))
    }

    /// A number of a narrower type that may be missing.
    pub fn some_number<T: TryFrom<i64>>(&self, column: &str) -> Result<Option<T>, Error> {
        self.get::<Option<i64>>(column)?
            .map(|number| T::try_from(number).map_err(|_| self.corrupt(column, "out of range")))
            .transpose()
    }

    /// An instant.
    pub fn instant(&self, column: &str) -> Result<Timestamp, Error> {
        self.get(column)
    }

    /// An instant that may be missing.
    pub fn some_instant(&self, column: &str) -> Result<Option<Timestamp>, Error> {
        self.get(column)
    }

    /// A length of time in microseconds.
    pub fn time(&self, column: &str) -> Result<Duration, Error> {
        Ok(Duration::from_micros(self.number(column)?))
    }

    /// A generation.
    pub fn generation(&self, column: &str) -> Result<Generation, Error> {
        Ok(Generation::new(self.get(column)?))
    }

    /// The job that the row is about.
    pub fn job(&self) -> Result<JobId, Error> {
        Ok(JobId::from_uuid(self.get("job_id")?))
    }

    /// The hold that the row is about.
    pub fn hold(&self) -> Result<HoldId, Error> {
        Ok(HoldId::from_uuid(self.get("hold_id")?))
    }

    /// A worker, if there is one.
    pub fn some_worker(&self, column: &str) -> Result<Option<WorkerId>, Error> {
        Ok(self.get::<Option<Uuid>>(column)?.map(WorkerId::from_uuid))
    }

    /// A digest.
    pub fn digest(&self, column: &str) -> Result<Digest, Error> {
        let bytes: &[u8] = self.get(column)?;
        self.made(column, bytes.try_into().map(Digest::from_bytes))
    }

    /// Text that a type is made of.
    pub fn text<T, E: Display>(
        &self,
        column: &str,
        make: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<T, Error> {
        self.made(column, make(self.get(column)?))
    }

    /// Text that a type is made of, if there is any.
    pub fn some_text<T, E: Display>(
        &self,
        column: &str,
        make: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<Option<T>, Error> {
        let made = self.get::<Option<&str>>(column)?.map(make).transpose();
        self.made(column, made)
    }

    /// A JSON document.
    pub fn document<T: DeserializeOwned + 'static>(&self, column: &str) -> Result<T, Error> {
        self.some_document(column)?.ok_or_else(|| self.corrupt(column, "is NULL"))
    }

    /// A JSON document that may be missing.
    pub fn some_document<T: DeserializeOwned + 'static>(
        &self,
        column: &str,
    ) -> Result<Option<T>, Error> {
        self.row.document(column).map_err(|error| self.corrupt(column, error))
    }

    /// What a type made of a column's value.
    pub fn made<T, E: Display>(&self, column: &str, made: Result<T, E>) -> Result<T, Error> {
        made.map_err(|error| self.corrupt(column, error))
    }

    /// The error of a column that does not hold what it should.
    pub fn corrupt(&self, column: &str, why: impl Display) -> Error {
        let job = self.row.id("job_id").ok().flatten();
        let of = job.map(|id| format!(" of job {id}")).unwrap_or_default();
        Error::Corrupt { what: format!("{}{of}, column {column}: {why}", self.what) }
    }
}
