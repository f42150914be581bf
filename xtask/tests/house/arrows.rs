//! `cargo xtask arrows` on planted trees.

use super::tree::Tree;

fn planted(path: &str, manifest: &str) -> super::tree::Answer {
    let tree = Tree::clean();
    tree.write(path, manifest);
    tree.xtask(&["arrows"])
}

#[test]
fn a_clean_tree_passes() {
    Tree::clean().xtask(&["arrows"]).passes();
}

#[test]
fn an_arrow_that_points_up_is_refused_with_its_line() {
    let manifest =
        "[package]\nname = \"koinon-domain\"\n\n[dependencies]\nkoinon-store.workspace = true\n";
    planted("crates/domain/Cargo.toml", manifest).refuses(
        "crates/domain/Cargo.toml:5:",
        "koinon-domain (layer 0) must not depend on koinon-store (layer 2): a crate names lower layers",
    );
}

#[test]
fn an_arrow_within_a_layer_is_refused() {
    let manifest =
        "[package]\nname = \"koinon-runner\"\n[build-dependencies]\nkoinon-store-sqlite = \"0\"\n";
    planted("crates/runner/Cargo.toml", manifest)
        .refuses("crates/runner/Cargo.toml:4:", "(layer 3) must not depend on koinon-store-sqlite");
}

#[test]
fn an_arrow_under_another_name_is_refused() {
    let manifest = "[package]\nname = \"koinon-retry\"\n[target.'cfg(unix)'.dependencies]\n\
                    harmless = { package = \"koinon-runner\", path = \"../runner\" }\n";
    planted("crates/retry/Cargo.toml", manifest)
        .refuses("crates/retry/Cargo.toml:4:", "must not depend on koinon-runner");

    let tree = Tree::clean();
    tree.write(
        "Cargo.toml",
        "[workspace.dependencies]\nharmless = { package = \"koinon-api\", path = \"crates/api\" }\n",
    );
    tree.write(
        "crates/retry/Cargo.toml",
        "[package]\nname = \"koinon-retry\"\n[dependencies]\nharmless.workspace = true\n",
    );
    tree.xtask(&["arrows"]).refuses("crates/retry/Cargo.toml:4:", "must not depend on koinon-api");
}

#[test]
fn only_the_composition_root_names_an_adapter() {
    let arrow = "[dependencies]\nkoinon-store-sqlite.workspace = true\n";
    let workloads = format!("[package]\nname = \"koinon-workloads\"\n{arrow}");
    planted("crates/workloads/Cargo.toml", &workloads)
        .refuses("crates/workloads/Cargo.toml:4:", "names a store's adapter is koinon");
    let root = format!("[package]\nname = \"koinon\"\n{arrow}");
    planted("crates/koinon/Cargo.toml", &root).passes();
}

#[test]
fn a_crate_that_is_in_no_layer_is_refused() {
    planted("crates/extra/Cargo.toml", "[package]\nname = \"koinon-extra\"\n")
        .refuses("crates/extra:", "is in no layer; add it to the table");
    planted("bins/extra/Cargo.toml", "[package]\nname = \"koinon-extra\"\n")
        .refuses("bins/extra:", "is in no layer; add it to the table");
}

#[test]
fn a_package_is_named_as_the_table_says() {
    planted("crates/retry/Cargo.toml", "[package]\nname = \"koinon-retries\"\n")
        .refuses("crates/retry/Cargo.toml:", "name it koinon-retry");
}

#[test]
fn the_test_kit_serves_tests_only() {
    let kit = |section: &str| {
        format!("[package]\nname = \"koinon-retry\"\n[{section}]\nkoinon-kit.workspace = true\n")
    };
    planted("crates/retry/Cargo.toml", &kit("dependencies"))
        .refuses("crates/retry/Cargo.toml:4:", "make it a dev-dependency");
    planted("crates/retry/Cargo.toml", &kit("dev-dependencies")).passes();
}

#[test]
fn a_tree_without_packages_does_not_pass_for_a_clean_one() {
    let tree = Tree::clean();
    for folder in ["crates/domain", "crates/store-sqlite", "bins/cli"] {
        tree.remove(&format!("{folder}/Cargo.toml"));
    }
    tree.xtask(&["arrows"]).refuses(".:", "has no packages");
}
