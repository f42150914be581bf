//! The function of the autoscaler: what it shows, to whom, and what cannot change that.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use koinon_cluster::{Cluster, Database};
use koinon_domain::{JobId, QueueName};
use koinon_kit::{Case, Harness, Stores, commit, job};
use koinon_store::{Clock, Error, QueueBacklog, RunningLimits};
use koinon_store_postgres::{PostgresStore, ScaledQueue, Scaler};
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use crate::harness::Place;

/// A store that takes its time from the database, as the function does.
struct OnItsTime;

#[async_trait]
impl Harness for OnItsTime {
    async fn open(&self, _: Arc<dyn Clock>) -> Stores {
        let place = Place::new().await;
        let store = place.open().await;
        Stores::of(Arc::new(store)).keeping(place)
    }

    async fn damage(&self, _: &Stores, _: JobId) {}
}

/// The limits of the queue `full`.
const FULL: RunningLimits = RunningLimits { running: Some(2), per_tenant: Some(1) };

/// A role that can log in, and is gone at the end.
struct Role {
    name: String,
    database: String,
}

impl Role {
    fn new(place: &Place) -> Self {
        let name = format!("scaler_{}", place.name());
        Cluster::shared().unwrap().run("postgres", &format!("CREATE ROLE {name} LOGIN")).unwrap();
        Self { name, database: place.name().to_owned() }
    }

    async fn install(&self) -> Result<(), Error> {
        self.install_beside(Vec::new()).await
    }

    async fn install_beside(&self, datasources: Vec<(String, String)>) -> Result<(), Error> {
        let queue = |name: &str, per_replica_capacity, limits| {
            let name = QueueName::try_new(name).unwrap();
            ScaledQueue { name, per_replica_capacity, limits }
        };
        let queues = vec![queue("it's", 2, RunningLimits::NONE), queue("full", 3, FULL)];
        let role = self.name.clone();
        let scaler = Scaler { role, process_capacity: 3, queues, datasources };
        PostgresStore::install_scaler(&self.url_of("koinon"), &scaler).await
    }

    fn url_of(&self, user: &str) -> String {
        let url = Cluster::shared().unwrap().url(&self.database);
        let (_, place) = url.split_once('@').unwrap();
        format!("postgres://{user}@{place}")
    }

    /// A connection as this role.
    async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url_of(&self.name)).await.unwrap()
    }

    /// Does something as the owner of the database.
    fn run(&self, statement: &str) {
        Cluster::shared().unwrap().run(&self.database, statement).unwrap();
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        let name = &self.name;
        self.run(&format!("DROP OWNED BY {name} CASCADE; DROP ROLE {name}"));
    }
}

async fn run(database: &mut PgConnection, statement: &str) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(database).await.map(drop)
}

/// What the function says of the queues that have jobs.
async fn backlog(database: &mut PgConnection) -> Vec<QueueBacklog> {
    let rows = sqlx::query("SELECT * FROM koinon_scaler.backlog()").fetch_all(database).await;
    let mut queues: Vec<_> = rows.unwrap().iter().map(queue).collect();
    queues.sort_by(|a, b| a.queue.cmp(&b.queue));
    let asked = QueueBacklog::empty(QueueName::try_new("it's").unwrap());
    assert!(queues.contains(&asked), "a queue that was asked for is there: {queues:?}");
    queues.retain(|queue| *queue != QueueBacklog::empty(queue.queue.clone()));
    queues
}

fn queue(row: &PgRow) -> QueueBacklog {
    let count = |name: &str| u32::try_from(row.get::<i64, _>(name)).unwrap();
    let own = if row.get::<&str, _>("queue") == "it's" { 2 } else { 3 };
    assert_eq!((count("per_replica_capacity"), count("process_capacity")), (own, 3));
    let age: Option<i64> = row.get("oldest_ready_age_ms");
    QueueBacklog {
        queue: QueueName::try_new(row.get::<String, _>("queue")).unwrap(),
        ready: count("ready"),
        active: count("active"),
        retry: count("retry"),
        deferred: count("deferred"),
        paused: count("paused"),
        blocked: count("blocked"),
        set_aside: count("set_aside"),
        paused_at: None,
        oldest_ready_age: age.map(|age| Duration::from_millis(u64::try_from(age).unwrap())),
    }
}

/// Jobs of every standing in a queue.
async fn fill(case: &Case, queue: &str) {
    case.running(job().queue(queue)).await;
    case.submit(job().queue(queue)).await;
    let held = case.running(job().queue(queue).priority(9)).await;
    case.applied(commit(&held).retry_after(Duration::from_hours(1))).await;
    let held = case.running(job().queue(queue).priority(9)).await;
    case.applied(commit(&held).out_of_budget()).await;
    case.applied(commit(&held).flush()).await;
    let held = case.running(job().queue(queue).priority(9)).await;
    case.applied(commit(&held).succeed()).await;
}

/// Without the ages, which grow between two looks.
fn ageless(mut queues: Vec<QueueBacklog>) -> Vec<QueueBacklog> {
    for queue in &mut queues {
        assert!(queue.oldest_ready_age.take().is_some(), "{queue:?}");
    }
    queues
}

#[tokio::test]
async fn the_function_says_what_the_store_says() {
    let case = Case::open(OnItsTime).await;
    let role = Role::new(case.stores.kept::<Place>().unwrap());
    role.install().await.unwrap();
    for queue in ["index", "report", "Report"] {
        fill(&case, queue).await;
    }
    let said = ageless(backlog(&mut role.connect().await).await);
    assert_eq!(said, ageless(case.stores.queues.backlog(&[]).await.unwrap()));
    let report = QueueBacklog {
        ready: 1,
        active: 1,
        retry: 1,
        blocked: 1,
        ..QueueBacklog::empty(QueueName::try_new("report").unwrap())
    };
    assert_eq!(said.last(), Some(&report));
}

#[tokio::test]
async fn the_function_keeps_to_the_limits_that_were_configured() {
    let case = Case::open(OnItsTime).await;
    let role = Role::new(case.stores.kept::<Place>().unwrap());
    role.install().await.unwrap();
    case.running(job().queue("full")).await;
    for tenant in ["acme", "globex", "globex"] {
        case.submit(job().queue("full").tenant(tenant)).await;
    }
    let said = ageless(backlog(&mut role.connect().await).await);
    let full = QueueName::try_new("full").unwrap();
    let asked = [(full.clone(), FULL)];
    assert_eq!(said, ageless(case.stores.queues.backlog(&asked).await.unwrap()));
    let counts = QueueBacklog { ready: 1, active: 1, blocked: 2, ..QueueBacklog::empty(full) };
    assert_eq!(said, [counts]);
}

#[tokio::test]
async fn the_role_reads_nothing_but_the_function() {
    let place = Place::new().await;
    let role = Role::new(&place);
    role.install().await.unwrap();
    let mut owner = place.raw().await;
    let tables = "SELECT format('%I.%I', nspname, relname) AS name, relkind = 'v' AS is_view \
                  FROM pg_class JOIN pg_namespace AS spaces ON spaces.oid = relnamespace \
                  WHERE relkind IN ('r', 'v') AND nspname IN ('public', 'koinon_scaler')";
    let tables = sqlx::query(tables).fetch_all(&mut owner).await.unwrap();
    assert!(tables.len() > 8, "the tables and the views were found");
    let mut database = role.connect().await;
    for table in tables {
        let (name, is_view): (String, bool) = (table.get("name"), table.get("is_view"));
        let mut tried = vec![format!("SELECT * FROM {name}")];
        if !is_view {
            tried.push(format!("DELETE FROM {name}"));
        }
        for statement in tried {
            let done = run(&mut database, &statement).await;
            let refused = done.expect_err(&statement).to_string();
            assert!(refused.contains("permission denied"), "{statement}: {refused}");
        }
    }
    assert_eq!(backlog(&mut database).await, []);
    let other = Role { name: format!("{}_other", role.name), database: role.database.clone() };
    other.run(&format!("CREATE ROLE {} LOGIN", other.name));
    let done = run(&mut other.connect().await, "SELECT * FROM koinon_scaler.backlog()").await;
    assert!(done.expect_err("it has no right").to_string().contains("permission denied"));
}

#[tokio::test]
async fn a_second_installation_takes_the_right_from_the_first_role() {
    let place = Place::new().await;
    let (first, second) = (Role::new(&place), format!("{}_next", place.name()));
    first.install().await.unwrap();
    first.run(&format!("CREATE ROLE {second} LOGIN"));
    let second = Role { name: second, database: first.database.clone() };
    second.install().await.unwrap();
    assert_eq!(backlog(&mut second.connect().await).await, []);
    let done = run(&mut first.connect().await, "SELECT * FROM koinon_scaler.backlog()").await;
    assert!(done.expect_err("it was taken away").to_string().contains("permission denied"));
}

#[tokio::test]
async fn tables_and_functions_of_the_same_name_elsewhere_change_nothing() {
    let case = Case::open(OnItsTime).await;
    let role = Role::new(case.stores.kept::<Place>().unwrap());
    role.install().await.unwrap();
    fill(&case, "report").await;
    let wanted = ageless(case.stores.queues.backlog(&[]).await.unwrap());
    role.run(&format!(
        "CREATE SCHEMA evil AUTHORIZATION {0}; GRANT TEMPORARY ON DATABASE {1} TO {0}",
        role.name, role.database
    ));
    let mut database = role.connect().await;
    for statement in [
        "CREATE TABLE evil.runs (queue text, state text)",
        "CREATE TEMPORARY TABLE runs (queue text, state text)",
        "CREATE FUNCTION evil.statement_timestamp() RETURNS timestamptz LANGUAGE sql AS \
         'SELECT NULL::timestamptz'",
        "CREATE FUNCTION evil.least(bigint, integer) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'",
        "CREATE FUNCTION evil.floor(numeric) RETURNS numeric LANGUAGE sql AS 'SELECT 0::numeric'",
        "SET search_path = evil, pg_temp, public, pg_catalog",
    ] {
        run(&mut database, statement).await.unwrap();
    }
    assert_eq!(ageless(backlog(&mut database).await), wanted);
}

#[tokio::test]
async fn a_role_that_can_read_more_is_refused_and_told_what() {
    let place = Place::new().await;
    let role = Role::new(&place);
    for (grant, why) in [
        ("GRANT SELECT ON ledger TO {}", "public.ledger"),
        ("GRANT SELECT (tenant) ON jobs TO {}", "public.jobs"),
        ("GRANT pg_read_all_data TO {}", "may use the table"),
        ("GRANT koinon TO {}", "has the rights of whoever installs"),
        ("ALTER ROLE {} SUPERUSER", "is a superuser"),
    ] {
        role.run(&grant.replace("{}", &role.name));
        let refused = role.install().await.expect_err(grant).to_string();
        assert!(refused.contains(why), "{grant}: {refused}");
        let back = match grant.split_once(" TO ") {
            Some((right, _)) => {
                let right = right.replacen("GRANT", "REVOKE", 1);
                format!("{right} FROM {}", role.name)
            }
            None => format!("ALTER ROLE {} NOSUPERUSER", role.name),
        };
        role.run(&back);
    }
    let nobody = Role { name: "nobody_at_all".into(), database: role.database.clone() };
    let refused = nobody.install().await.expect_err("there is no such role").to_string();
    assert!(refused.contains("does not exist"), "{refused}");
    std::mem::forget(nobody);
    role.install().await.unwrap();
}

#[tokio::test]
async fn datasources_on_two_physical_databases_are_refused() {
    let place = Place::new().await;
    let (role, elsewhere) = (Role::new(&place), Place::new().await);
    let named = |url: String| vec![("document_control".to_owned(), url)];
    let refused = role.install_beside(named(elsewhere.url())).await.expect_err("it is another");
    assert!(refused.to_string().contains("document_control"), "{refused}");
    let mut database = place.raw().await;
    let schema = sqlx::query("SELECT to_regnamespace('koinon_scaler') IS NULL");
    assert!(schema.fetch_one(&mut database).await.unwrap().get::<bool, _>(0), "nothing was made");
    // The same database under another name of its server is not another.
    let same = place.url().replace("127.0.0.1", "localhost");
    role.install_beside(named(same)).await.unwrap();
}

#[tokio::test]
async fn a_database_without_the_schema_is_refused_with_the_command_to_run() {
    let database: Database = Cluster::shared().unwrap().empty().unwrap();
    let (role, queues) = ("x".into(), Vec::new());
    let scaler = Scaler { role, process_capacity: 1, queues, datasources: Vec::new() };
    let refused = PostgresStore::install_scaler(&database.url(), &scaler).await;
    assert!(matches!(refused, Err(Error::Schema { .. })), "{refused:?}");
}
