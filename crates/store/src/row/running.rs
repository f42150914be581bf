//! How many jobs of a queue are held.

use crate::{Error, Running};
use koinon_domain::TenantId;

use super::{Columns, Fields};

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
