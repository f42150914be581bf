//! The layers of the workspace, from the lowest to the highest.

/// The folders whose packages have a layer.
pub(super) const FOLDERS: [&str; 2] = ["crates", "bins"];

/// Where a package stands.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) layer: u8,
    pub(super) folder: &'static str,
    pub(super) package: &'static str,
}

/// Every package that has a layer, also those that are still to be written.
const TABLE: [Place; 18] = [
    place(0, "crates/domain", "koinon-domain"),
    place(1, "crates/retry", "koinon-retry"),
    place(1, "crates/budget", "koinon-budget"),
    place(1, "crates/admission", "koinon-admission"),
    place(1, "crates/schedule", "koinon-schedule"),
    place(2, "crates/store", "koinon-store"),
    place(2, "crates/artifacts", "koinon-artifacts"),
    place(2, "crates/provider", "koinon-provider"),
    place(3, "crates/store-postgres", "koinon-store-postgres"),
    place(3, "crates/store-sqlite", "koinon-store-sqlite"),
    place(3, "crates/runner", "koinon-runner"),
    place(3, "crates/callback", "koinon-callback"),
    place(4, "crates/workloads", "koinon-workloads"),
    place(5, "crates/koinon", "koinon"),
    place(6, "crates/api", "koinon-api"),
    place(7, "bins/serve", "koinon-serve"),
    place(7, "bins/worker", "koinon-worker"),
    place(7, "bins/cli", "koinon-cli"),
];

/// Packages for tests and tasks: they may name anything, and no layer may name them.
const OUTSIDE: [&str; 5] = ["koinon-cluster", "koinon-kit", "koinon-e2e", "koinon-races", "xtask"];

const fn place(layer: u8, folder: &'static str, package: &'static str) -> Place {
    Place { layer, folder, package }
}

impl Place {
    /// Whether the package is the adapter of one kind of database.
    pub(super) fn is_adapter(&self) -> bool {
        self.folder.starts_with("crates/store-")
    }

    /// Whether the package puts the others together, and so has to know the adapters.
    pub(super) fn may_name_adapters(&self) -> bool {
        self.package == "koinon" || self.folder.starts_with("bins/")
    }
}

/// The place of the package in a folder such as `crates/domain`.
pub(super) fn place_of_folder(folder: &str) -> Option<&'static Place> {
    TABLE.iter().find(|place| place.folder == folder)
}

/// The place of the package with a name such as `koinon-domain`.
pub(super) fn place_of_package(package: &str) -> Option<&'static Place> {
    TABLE.iter().find(|place| place.package == package)
}

/// Whether the package stands outside of the layers, above all of them.
pub(super) fn is_outside(package: &str) -> bool {
    OUTSIDE.contains(&package)
}

/// Whether the name is one that only this workspace gives.
pub(super) fn is_ours(package: &str) -> bool {
    package == "koinon" || package.starts_with("koinon-")
}
