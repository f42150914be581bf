//! Price profiles, for the record.

use koinon_budget::Profile;
use koinon_store::Error;

use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::query;
use crate::tx::Tx;

/// Keeps a profile that is new; one that is kept already must be the same.
pub(crate) fn keep_profile(tx: &mut Tx<'_>, profile: &Profile) -> Result<(), Failure> {
    let prices = row::prices(profile);
    let effective_from = profile.effective_from();
    let kept = query(include_str!("../sql/profile.sql")).bind(profile.id().to_string());
    if let Some(kept) = tx.first(&kept)? {
        let kept = Columns::new(&kept, "a price profile");
        let same = kept.instant("effective_from")? == effective_from
            && kept.document::<serde_json::Value>("prices")? == prices;
        let says = || {
            let id = profile.id();
            Error::Invalid(format!(
                "price profile {id} was kept with other prices; give it a new id"
            ))
        };
        return if same { Ok(()) } else { Err(says().into()) };
    }
    let keep = query(include_str!("../sql/keep_profile.sql"))
        .bind(profile.id().to_string())
        .bind(effective_from.as_micros())
        .bind(prices.to_string());
    tx.write(&keep)
}
