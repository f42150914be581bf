//! Databases beside the primary one, opened when somebody submits to them.

use tokio::sync::OnceCell;

use crate::Error;
use crate::database::Database;
use crate::parts::Parts;
use crate::queues::Datasource;

/// Databases beside the primary one, each opened when it is needed for the first time.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere([OnceCell<Database>; Datasource::ALL.len()]);

impl Elsewhere {
    /// The database of a datasource, with the prices of this program on record.
    pub(crate) async fn open(
        &self,
        parts: &Parts,
        datasource: Datasource,
    ) -> Result<&Database, Error> {
        let open = async || {
            let database = parts.open(datasource.url(&parts.settings)).await?;
            match parts.prepare(&database.ledger, &database.retention).await {
                Ok(()) => Ok(database),
                Err(error) => {
                    database.close().await;
                    Err(error)
                }
            }
        };
        let [primary, document_control, structured_control] = &self.0;
        let cell = match datasource {
            Datasource::Primary => primary,
            Datasource::DocumentControl => document_control,
            Datasource::StructuredControl => structured_control,
        };
        cell.get_or_try_init(open).await
    }

    pub(crate) async fn close(&self) {
        for database in self.0.iter().filter_map(OnceCell::get) {
            database.close().await;
        }
    }
}
