//! Price profiles, for the record.

use koinon_budget::Profile;
use koinon_store::Error;
use serde_json::Value;
use sqlx::types::Json;

use crate::error::Failure;
use crate::row::{self, Columns, Instant};
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Keeps a profile that is new; one that is kept already must be the same.
pub(crate) async fn keep_profile(shared: &Shared, profile: &Profile) -> Result<(), Error> {
    Ok(in_tx!(shared, &shared.pool, tx => keep(&mut tx, profile))?)
}

async fn keep(tx: &mut Tx<'_>, profile: &Profile) -> Result<(), Failure> {
    let id = profile.id().to_string();
    let prices = row::prices(profile);
    let effective_from = profile.effective_from();
    let keep = sqlx::query(include_str!("../sql/keep_profile.sql"))
        .bind(id.as_str())
        .bind(Instant(effective_from))
        .bind(Json(&prices));
    tx.write(keep).await?;
    let kept = sqlx::query(include_str!("../sql/profile.sql")).bind(id.as_str());
    let same = match tx.first(kept).await? {
        None => false,
        Some(kept) => {
            let kept = Columns::new(&kept, "a price profile");
            kept.instant("effective_from")? == effective_from
                && kept.document::<Value>("prices")? == prices
        }
    };
    if same {
        return Ok(());
    }
    let says = format!("price profile {id} was kept with other prices; give it a new id");
    Err(Error::Invalid(says).into())
}
