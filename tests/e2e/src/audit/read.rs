//! Reading the tables.

use super::Audit;
use crate::store::Place;

/// All jobs, the oldest first, each as it stood at one instant.
pub(super) async fn all(place: &Place) -> Vec<Audit> {
    let (sqlite, postgres) = (include_str!("sql/sqlite.sql"), include_str!("sql/postgres.sql"));
    let documents = place.ask(sqlite, postgres).await;
    documents.iter().map(|document| serde_json::from_str(document).unwrap()).collect()
}
