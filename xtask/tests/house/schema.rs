//! `cargo xtask schema` on planted trees.

use super::tree::Tree;

const GOLDEN: &str = "migrations/sqlite/schema.sql";

fn blessed() -> Tree {
    let tree = Tree::clean();
    tree.xtask(&["schema", "--bless"]).passes();
    tree
}

#[test]
fn a_blessed_schema_passes_and_shows_what_the_migrations_make() {
    let tree = blessed();
    tree.write(
        "migrations/sqlite/0002_more.sql",
        "CREATE INDEX b ON jobs (id);\nCREATE TABLE a (x);\n",
    );
    tree.xtask(&["schema", "--bless"]).passes();
    tree.xtask(&["schema"]).passes();
    let golden = tree.read(GOLDEN);
    let objects: Vec<&str> = golden.lines().filter(|line| line.starts_with("CREATE")).collect();
    assert_eq!(
        objects,
        [
            "CREATE TABLE a (x);",
            "CREATE TABLE jobs (id BLOB PRIMARY KEY);",
            "CREATE INDEX b ON jobs (id);"
        ]
    );
}

#[test]
fn a_schema_that_was_not_blessed_is_refused() {
    Tree::clean().xtask(&["schema"]).refuses(GOLDEN, "is missing; write it by");
}

#[test]
fn a_migration_that_changes_the_schema_is_refused_until_it_is_blessed() {
    let tree = blessed();
    tree.write("migrations/sqlite/0002_more.sql", "CREATE TABLE more (id BLOB);\n");
    tree.xtask(&["schema"])
        .refuses("migrations/sqlite/schema.sql:4:", "they make `CREATE TABLE more");
}

#[test]
fn an_edited_migration_is_refused() {
    let tree = blessed();
    tree.write("migrations/sqlite/0001_jobs.sql", "CREATE TABLE jobs (id TEXT PRIMARY KEY);\n");
    tree.xtask(&["schema"]).refuses("migrations/sqlite/schema.sql:3:", "id TEXT PRIMARY KEY");
}

#[test]
fn a_gap_in_the_numbers_is_refused() {
    let tree = blessed();
    tree.write("migrations/sqlite/0003_more.sql", "CREATE TABLE more (id BLOB);\n");
    tree.xtask(&["schema"]).refuses("migrations/sqlite/0003_more.sql:", "where 0002 comes next");
}

#[test]
fn a_migration_that_cannot_be_run_is_named() {
    let tree = blessed();
    tree.write("migrations/sqlite/0002_broken.sql", "CREATE TABLE jobs (again);\n");
    tree.xtask(&["schema"]).refuses("migrations/sqlite/0002_broken.sql:", "already exists");
}

#[test]
fn a_migration_that_breaks_the_version_before_is_refused_unless_it_says_why() {
    for (migration, says) in [
        ("DROP TABLE jobs;\nCREATE TABLE more (id BLOB);\n", "takes jobs.id away"),
        ("ALTER TABLE jobs RENAME COLUMN id TO job_id;\n", "takes jobs.id away"),
        (
            "DROP TABLE jobs;\nCREATE TABLE jobs (id TEXT PRIMARY KEY);\n",
            "changes the type of jobs.id",
        ),
        (
            "DROP TABLE jobs;\nCREATE TABLE jobs (id BLOB NOT NULL);\n",
            "refuses rows without jobs.id",
        ),
        (
            "DROP TABLE jobs;\nCREATE TABLE jobs (id BLOB PRIMARY KEY, more TEXT NOT NULL);\n",
            "refuses rows without jobs.more",
        ),
    ] {
        let tree = blessed();
        tree.write("migrations/sqlite/0002_more.sql", migration);
        tree.xtask(&["schema", "--bless"]).refuses("migrations/sqlite/0002_more.sql:", says);
        let exempt = format!("-- Not under older workers: they are none.\n{migration}");
        tree.write("migrations/sqlite/0002_more.sql", &exempt);
        tree.xtask(&["schema", "--bless"]).passes();
    }
}

#[test]
fn a_migration_that_adds_what_the_version_before_need_not_know_passes() {
    let tree = blessed();
    tree.write(
        "migrations/sqlite/0002_more.sql",
        "ALTER TABLE jobs ADD COLUMN more TEXT;
        ALTER TABLE jobs ADD COLUMN most TEXT NOT NULL DEFAULT 'most';
        CREATE TABLE others (id BLOB NOT NULL);\n",
    );
    tree.xtask(&["schema", "--bless"]).passes();
}
