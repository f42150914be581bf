//! `koinon migrate`: brings the database to the schema of this program.

use koinon::Koinon;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;

#[derive(Serialize)]
struct Migrated {
    schema_version: i64,
}

pub(crate) async fn migrate(context: &Context) -> Result<Exit, Fault> {
    let settings = Open::new(context).load()?.settings;
    let migrated = Migrated { schema_version: Koinon::migrate(&settings).await? };
    context.console.show(&migrated, |migrated| {
        format!("the database has schema version {}", migrated.schema_version)
    })?;
    Ok(Exit::Succeeded)
}
