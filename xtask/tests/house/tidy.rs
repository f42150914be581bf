//! `cargo xtask tidy` on planted trees.

use super::tree::{Answer, Tree};

const LIB: &str = "crates/domain/src/lib.rs";

fn planted(path: &str, text: &str) -> Answer {
    let tree = Tree::clean();
    tree.write(path, text);
    tree.xtask(&["tidy"])
}

#[test]
fn a_clean_tree_passes() {
    Tree::clean().xtask(&["tidy"]).passes();
}

#[test]
fn a_file_of_501_lines_is_refused_and_one_of_500_is_not() {
    planted(LIB, &"// a line\n".repeat(501)).refuses(LIB, "has 501 lines, more than 500; split it");
    planted(LIB, &"// a line\n".repeat(500)).passes();
}

#[test]
fn a_long_file_needs_a_reason_in_the_list_and_the_list_no_idle_entry() {
    let tree = Tree::clean();
    tree.write(LIB, &"// a line\n".repeat(501));
    let entry = |reason: &str| format!("\"{LIB}\" = \"{reason}\"\n");
    tree.write("xtask/long-files.toml", &entry("one table, read as one"));
    tree.xtask(&["tidy"]).passes();
    tree.write("xtask/long-files.toml", &entry(""));
    tree.xtask(&["tidy"]).refuses("xtask/long-files.toml", "without a reason");
    tree.write(LIB, "");
    tree.xtask(&["tidy"]).refuses("xtask/long-files.toml", "take it out");
}

#[test]
fn files_are_named_for_what_they_hold() {
    planted("crates/domain/src/job/mod.rs", "").refuses("crates/domain/src/job/mod.rs", "foo.rs");
    for drawer in ["utils.rs", "helpers.rs", "common.rs", "types.rs", "util/text.rs"] {
        let path = format!("crates/domain/src/{drawer}");
        planted(&path, "").refuses(&path, "name it for what it holds");
    }
}

#[test]
fn a_word_that_the_glossary_refuses_is_found_wherever_names_stand() {
    let advice = "which docs/glossary.md does not use; what is meant is called `fish` here";
    for rust in [
        "fn find(red_herring: u8) {}",
        "struct RedHerring;",
        "const KIPPERS: u8 = 1;",
        "macro_rules! m { () => { let old_kipper_at = 1; } }",
        "const ROUTE: &str = \"/v1/red_herrings/{id}\";",
        "const METRIC: &str = \"koinon_kipper_total\";",
        "#[cfg(test)] mod tests { fn kipper() {} }",
    ] {
        planted(LIB, rust).refuses("crates/domain/src/lib.rs:1:", advice);
    }
    let sql = "-- Atomic.\nSELECT\n    red_herring FROM x;\n";
    planted("crates/store-sqlite/src/sql/find.sql", sql)
        .refuses("crates/store-sqlite/src/sql/find.sql:3:", advice);
    planted("migrations/sqlite/0002_more.sql", "CREATE TABLE kipper (id BLOB);\n")
        .refuses("migrations/sqlite/0002_more.sql:1:", advice);
}

#[test]
fn prose_may_use_any_word() {
    planted(LIB, "/// A red_herring.\n// kipper\nconst A: &str = \"no kipper here\";\n").passes();
    planted("crates/store-sqlite/src/sql/find.sql", "-- No kipper.\nSELECT 'a kipper';\n").passes();
    planted(LIB, "use std::time::UNIX_EPOCH;\n").passes();
}

#[test]
fn a_glossary_that_cannot_be_read_does_not_pass_for_an_empty_one() {
    let page = "docs/glossary.md";
    planted(page, "# Words\n").refuses(page, "refuses no word");
    let row = |not: &str| {
        format!("| word | meaning | not |\n|---|---|---|\n| **fish** | swims | {not} |\n")
    };
    planted(page, &row("red herring")).refuses("docs/glossary.md:3:", "in backquotes");
    planted(page, &row("`kipper`")).passes();
}

#[test]
fn attributes_say_why_and_hide_nothing() {
    for allow in
        ["#[allow(dead_code)]", "#![allow(dead_code)]", "#[cfg_attr(test, allow(dead_code))]"]
    {
        planted(LIB, &format!("\n{allow}\nfn a() {{}}\n"))
            .refuses("crates/domain/src/lib.rs:2:", "#[expect(lint, reason");
    }
    planted(LIB, "#[expect(dead_code)]\nfn a() {}\n").refuses(LIB, "say why");
    planted(LIB, "#[expect(dead_code, reason = \"of a race\")]\nfn a() {}\n").passes();
}

#[test]
fn a_test_is_not_ignored() {
    for ignore in ["#[ignore]", "#[ignore = \"slow\"]"] {
        planted("tests/e2e/src/lib.rs", &format!("#[test]\n{ignore}\nfn a() {{}}\n"))
            .refuses("tests/e2e/src/lib.rs:2:", "make it run, or take it out");
    }
}

#[test]
fn unfinished_code_and_bare_tasks_are_refused() {
    for (call, advice) in [
        ("todo!()", "is unfinished"),
        ("unimplemented!(\"later\")", "is unfinished"),
        ("tokio::spawn(async {})", "TaskTracker"),
        ("tokio::task::spawn(async {})", "TaskTracker"),
    ] {
        planted(LIB, &format!("fn a() {{\n    {call};\n}}\n"))
            .refuses("crates/domain/src/lib.rs:2:", advice);
    }
    planted(LIB, "fn a(tracker: &T) { tracker.spawn(b()); tokio::task::spawn_blocking(c); }")
        .passes();
}

#[test]
fn text_that_is_no_rust_is_named() {
    planted(LIB, "fn a( {\n").refuses(LIB, "cannot be read as Rust");
}

#[test]
fn the_top_level_holds_what_it_is_known_to_hold() {
    planted("NOTES.md", "").refuses("NOTES.md", "does not belong at the top");
    planted("scripts/run.sh", "").refuses("scripts", "does not belong at the top");
    planted("target/debug/koinon", "").passes();
    planted(".config/nextest.toml", "").passes();
    for name in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "deny.toml", "LICENSE-MIT"] {
        let tree = Tree::clean();
        tree.remove(name);
        tree.xtask(&["tidy"]).refuses(name, "is missing; write it");
    }
}

#[test]
fn a_program_of_61_lines_is_refused_and_one_of_60_is_not() {
    let main = "bins/cli/src/main.rs";
    planted(main, &"// a line\n".repeat(61)).refuses(main, "has 61 lines, more than 60");
    planted(main, &"// a line\n".repeat(60)).passes();
}

#[test]
fn codes_and_pages_belong_together() {
    let tree = Tree::clean();
    tree.remove("docs/errors/transient.md");
    tree.xtask(&["tidy"]).refuses("docs/errors/transient.md", "is missing; say what happened");

    let page = Tree::clean().read("docs/errors/transient.md");
    planted("docs/errors/of_a_test.md", &page.replace("transient", "of_a_test"))
        .refuses("docs/errors/of_a_test.md", "take it out");
    planted("docs/errors/transient.md", &page.replace("## What to try\n", ""))
        .refuses("docs/errors/transient.md", "## What to try");

    let registry = "crates/domain/src/error_code.rs";
    planted(registry, "").refuses(registry, "has no `NAME =");
    let tree = Tree::clean();
    tree.remove(registry);
    tree.xtask(&["tidy"]).refuses(registry, "is missing; it lists");
}

#[test]
fn sql_stands_in_its_files_and_each_is_one_statement_with_a_comment() {
    let path = "crates/store-sqlite/src/sql/find.sql";
    planted(path, "SELECT 1;\n").refuses(path, "open it by a `--` comment");
    planted(path, "-- Atomic.\nSELECT 1;\nSELECT 2;\n").refuses(path, "has 2 statements");
    planted(path, "-- Atomic.\n").refuses(path, "has 0 statements");
    let elsewhere = "crates/domain/src/sql/find.sql";
    planted(elsewhere, "-- Atomic.\nSELECT 1;\n").refuses(elsewhere, "SQL belongs into");
}

#[test]
fn sql_in_rust_is_refused_outside_of_tests() {
    let find = "fn find() -> &'static str { \"select id from runs\" }\n";
    planted(LIB, find).refuses("crates/domain/src/lib.rs:1:", "is SQL in Rust");
    let adapter = "crates/store-sqlite/src/find.rs";
    planted(adapter, find).refuses(adapter, "is SQL in Rust");
    planted(adapter, &format!("#[cfg(test)]\nmod tests {{\n{find}}}\n")).passes();
    planted("crates/store-sqlite/tests/find.rs", find).passes();
}

#[test]
fn only_the_adapters_depend_on_what_speaks_to_a_database() {
    for library in ["sqlx", "rusqlite"] {
        let manifest = format!(
            "[package]\nname = \"koinon-domain\"\n[dependencies]\n{library}.workspace = true\n"
        );
        planted("crates/domain/Cargo.toml", &manifest)
            .refuses("crates/domain/Cargo.toml:4:", "only the crates/store-* speak to a database");
    }
}

#[test]
fn decisions_are_numbered_without_a_gap() {
    planted("docs/adr/0003-another.md", "").refuses("docs/adr/0003-another.md", "0002 comes next");
    planted("docs/adr/0002-another.md", "").passes();
}
