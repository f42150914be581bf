//! A row that the database has answered.

use koinon_domain::Timestamp;
use koinon_store::row::Fields;
use serde::de::DeserializeOwned;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::types::Json;
use sqlx::{Decode, Row as _, Type};
use uuid::Uuid;

use super::instant::Instant;

/// A row that the database has answered.
#[derive(Debug)]
pub(crate) struct Found(PgRow);

impl Found {
    fn get<'r, T>(&'r self, column: &str) -> Result<Option<T>, String>
    where
        T: Decode<'r, Postgres> + Type<Postgres>,
    {
        self.0.try_get(column).map_err(|error| error.to_string())
    }
}

impl From<PgRow> for Found {
    fn from(row: PgRow) -> Self {
        Self(row)
    }
}

impl Fields for Found {
    fn number(&self, column: &str) -> Result<Option<i64>, String> {
        self.get(column)
    }

    fn flag(&self, column: &str) -> Result<Option<bool>, String> {
        self.get(column)
    }

    fn text(&self, column: &str) -> Result<Option<&str>, String> {
        self.get(column)
    }

    fn bytes(&self, column: &str) -> Result<Option<&[u8]>, String> {
        self.get(column)
    }

    fn id(&self, column: &str) -> Result<Option<Uuid>, String> {
        self.get(column)
    }

    fn instant(&self, column: &str) -> Result<Option<Timestamp>, String> {
        Ok(self.get::<Instant>(column)?.map(|instant| instant.0))
    }

    fn document<T: DeserializeOwned + 'static>(&self, column: &str) -> Result<Option<T>, String> {
        Ok(self.get::<Json<T>>(column)?.map(|document| document.0))
    }
}
