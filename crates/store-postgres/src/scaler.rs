//! The function that shows the backlog to an autoscaler, and to nobody else.

use koinon_domain::QueueName;
use koinon_store::{Error, RunningLimits};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Row as _};

use crate::connect;
use crate::error::Failure;
use crate::migrate::{self, CONNECT_FOR};
use crate::row::{Columns, Found};

/// What to install, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaler {
    /// The role that may execute the function. It must exist, and may read nothing else.
    pub role: String,
    /// How many jobs one worker process runs at once, over all queues.
    pub process_capacity: u32,
    /// The queues that are shown even if they are empty. Others are limited by the process alone.
    pub queues: Vec<ScaledQueue>,
    /// The datasources, by name and URL. They must be the same physical database, because the
    /// function sees no other.
    pub datasources: Vec<(String, String)>,
}

/// A queue that is shown even if it is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaledQueue {
    /// Its name.
    pub name: QueueName,
    /// How many of its jobs one worker process runs at once.
    pub per_replica_capacity: u32,
    /// How many of its jobs run at once in all processes together.
    pub limits: RunningLimits,
}

/// Installs the function, in place of an earlier one.
pub(crate) async fn install(url: &str, scaler: &Scaler) -> Result<(), Error> {
    migrate::check(url, CONNECT_FOR).await?;
    let mut connection = connect::alone(url, CONNECT_FOR).await?;
    let done = install_on(&mut connection, scaler).await;
    migrate::close(connection).await;
    Ok(done?)
}

async fn install_on(connection: &mut PgConnection, scaler: &Scaler) -> Result<(), Failure> {
    let here = physical_database(connection).await?;
    for (name, url) in &scaler.datasources {
        let mut other = connect::alone(url, CONNECT_FOR).await?;
        let there = physical_database(&mut other).await;
        migrate::close(other).await;
        if there? != here {
            let says = format!(
                "datasource {name} is another physical database than database.url: one function cannot see \
                 the queues of both, so a scaler would take what it does not see for no work"
            );
            return Err(Error::Invalid(says).into());
        }
    }
    let mut tx = connection.begin().await?;
    let tables_in = check_role(&mut tx, &scaler.role).await?;
    sqlx::query(include_str!("sql/scaler_settings.sql"))
        .persistent(false)
        .bind(&scaler.role)
        .bind(text(&tables_in, scaler))
        .execute(&mut *tx)
        .await?;
    sqlx::raw_sql(include_str!("sql/install_scaler.sql")).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(())
}

async fn physical_database(connection: &mut PgConnection) -> Result<(i64, i64), Failure> {
    let query = sqlx::query(include_str!("sql/physical_database.sql")).persistent(false);
    let row = query.fetch_one(connection).await?;
    Ok((row.try_get("system_identifier")?, row.try_get("database")?))
}

/// Refuses a role that is not there, or that can read more than it should; answers the schema of the tables.
async fn check_role(connection: &mut PgConnection, role: &str) -> Result<String, Failure> {
    let query = sqlx::query(include_str!("sql/scaler_role.sql")).persistent(false).bind(role);
    let found = Found::from(query.fetch_one(connection).await?);
    let row = Columns::new(&found, "the role of the scaler");
    let why = if !row.get::<bool>("is_there")? {
        Some(
            "does not exist: make it by CREATE ROLE … LOGIN, with a password of its own".to_owned(),
        )
    } else if row.get("is_superuser")? {
        Some("is a superuser, who may read everything".to_owned())
    } else if row.get("is_installer")? {
        Some("has the rights of whoever installs the function, who may read everything".to_owned())
    } else {
        let table: Option<String> = row.get("may_use")?;
        table.map(|table| format!("may use the table {table}: take that right away first"))
    };
    if let Some(why) = why {
        return Err(Error::Invalid(format!("the role {role} {why}")).into());
    }
    Ok(row.get("tables_in")?)
}

/// The statement of the store, with the schema of every table, the queues, their limits and their capacities.
fn text(tables_in: &str, scaler: &Scaler) -> String {
    let process = scaler.process_capacity;
    let (mut names, mut cases) = (Vec::new(), String::new());
    let (mut running, mut per_tenant) = (Vec::new(), Vec::new());
    let limit =
        |limit: Option<u32>| limit.map_or_else(|| "NULL".to_owned(), |most| most.to_string());
    for queue in &scaler.queues {
        let name = format!("'{}'", queue.name.as_str().replace('\'', "''"));
        cases.push_str(&format!(" WHEN {name} THEN {}", queue.per_replica_capacity));
        names.push(name);
        running.push(limit(queue.limits.running));
        per_tenant.push(limit(queue.limits.per_tenant));
    }
    let backlog = include_str!("sql/backlog.sql")
        .replace("FROM runs\n", &format!("FROM {tables_in}.runs\n"))
        .replace("FROM schedules\n", &format!("FROM {tables_in}.schedules\n"))
        .replace("FROM paused_queues\n", &format!("FROM {tables_in}.paused_queues\n"))
        .replace("JOIN paused_queues ", &format!("JOIN {tables_in}.paused_queues "))
        .replace("$1::timestamptz", "NULL::timestamptz")
        .replace("$2::text[]", &format!("ARRAY[{}]::text[]", names.join(", ")))
        .replace("$3::bigint[]", &format!("ARRAY[{}]::bigint[]", running.join(", ")))
        .replace("$4::bigint[]", &format!("ARRAY[{}]::bigint[]", per_tenant.join(", ")));
    format!(
        "SELECT backlog.*, (CASE backlog.queue WHEN '' THEN 0{cases} ELSE {process} END)::bigint, \
         {process}::bigint\nFROM (\n{backlog}) AS backlog"
    )
}
