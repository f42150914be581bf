//! Reading the columns of a row by their names, with errors that say which.

use std::fmt::Display;
use std::time::Duration;

use koinon_domain::{Digest, Generation, HoldId, JobId, Timestamp, WorkerId};
use koinon_store::Error;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::values::{FromValue, Row};

/// A row of a certain kind, which errors name.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'r> {
    row: &'r Row,
    what: &'static str,
}

impl<'r> Columns<'r> {
    pub(crate) const fn new(row: &'r Row, what: &'static str) -> Self {
        Self { row, what }
    }

    /// A value of a type that SQLite itself has.
    pub(crate) fn get<T: FromValue<'r>>(&self, column: &str) -> Result<T, Error> {
        self.row.get(column).map_err(|error| self.corrupt(column, error))
    }

    /// A number of a narrower type.
    pub(crate) fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, Error> {
        T::try_from(self.get(column)?).map_err(|_| self.corrupt(column, "out of range"))
    }

    /// A number of a narrower type that may be missing.
    pub(crate) fn some_number<T: TryFrom<i64>>(&self, column: &str) -> Result<Option<T>, Error> {
        self.get::<Option<i64>>(column)?
            .map(|number| T::try_from(number).map_err(|_| self.corrupt(column, "out of range")))
            .transpose()
    }

    pub(crate) fn instant(&self, column: &str) -> Result<Timestamp, Error> {
        Ok(Timestamp::from_micros(self.get(column)?))
    }

    pub(crate) fn some_instant(&self, column: &str) -> Result<Option<Timestamp>, Error> {
        Ok(self.get::<Option<i64>>(column)?.map(Timestamp::from_micros))
    }

    pub(crate) fn time(&self, column: &str) -> Result<Duration, Error> {
        Ok(Duration::from_micros(self.number(column)?))
    }

    pub(crate) fn generation(&self, column: &str) -> Result<Generation, Error> {
        Ok(Generation::new(self.get(column)?))
    }

    pub(crate) fn job(&self) -> Result<JobId, Error> {
        Ok(JobId::from_uuid(self.get::<Uuid>("job_id")?))
    }

    pub(crate) fn hold(&self) -> Result<HoldId, Error> {
        Ok(HoldId::from_uuid(self.get::<Uuid>("hold_id")?))
    }

    pub(crate) fn some_worker(&self, column: &str) -> Result<Option<WorkerId>, Error> {
        Ok(self.get::<Option<Uuid>>(column)?.map(WorkerId::from_uuid))
    }

    pub(crate) fn digest(&self, column: &str) -> Result<Digest, Error> {
        let bytes: &[u8] = self.get(column)?;
        self.made(column, bytes.try_into().map(Digest::from_bytes))
    }

    /// Text that a type is made of.
    pub(crate) fn text<T, E: Display>(
        &self,
        column: &str,
        make: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<T, Error> {
        self.made(column, make(self.get(column)?))
    }

    /// Text that a type is made of, if there is any.
    pub(crate) fn some_text<T, E: Display>(
        &self,
        column: &str,
        make: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<Option<T>, Error> {
        let made = self.get::<Option<&str>>(column)?.map(make).transpose();
        self.made(column, made)
    }

    /// A JSON document.
    pub(crate) fn document<T: DeserializeOwned>(&self, column: &str) -> Result<T, Error> {
        self.text(column, serde_json::from_str)
    }

    /// A JSON document that may be missing.
    pub(crate) fn some_document<T: DeserializeOwned>(
        &self,
        column: &str,
    ) -> Result<Option<T>, Error> {
        self.some_text(column, serde_json::from_str)
    }

    /// What a type made of a column's value.
    pub(crate) fn made<T, E: Display>(&self, column: &str, made: Result<T, E>) -> Result<T, Error> {
        made.map_err(|error| self.corrupt(column, error))
    }

    /// The error of a column that does not hold what it should.
    pub(crate) fn corrupt(&self, column: &str, why: impl Display) -> Error {
        let id = self.row.get::<Uuid>("job_id").map(|id| format!(" of job {id}"));
        let what = format!("{}{}, column {column}: {why}", self.what, id.unwrap_or_default());
        Error::Corrupt { what }
    }
}
