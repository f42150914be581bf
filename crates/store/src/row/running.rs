//! How many jobs of a queue are held.

use koinon_domain::TenantId;

use super::{Columns, Fields};
use crate::{Error, Running};

/// From the rows of `running.sql`.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn running<F: Fields>(rows: &[F]) -> Result<Running, Error> {
    let mut running = Running::default();
    for found in rows {
        let row = Columns::new(found, "what runs");
        let tenant = TenantId::try_new(row.get::<&str>("tenant")?);
        running.add(tenant.ok(), row.number("jobs")?);
    }
    Ok(running)
}
