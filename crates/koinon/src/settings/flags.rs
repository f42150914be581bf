//! What the command line says about the configuration.

use std::path::PathBuf;

/// What the command line says about the configuration; it weighs most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flags {
    /// `--config`: the configuration file, which must exist then. Without it, `koinon.toml` in the
    /// working directory is read if it is there.
    pub config: Option<PathBuf>,
    /// `--database`, the key `database.url`.
    pub database: Option<String>,
    /// `--artifacts`, the key `artifacts.url`.
    pub artifacts: Option<String>,
    /// `--base-url`, the key `base_url` of the provider below.
    pub base_url: Option<String>,
    /// `--provider`: whose base URL that is. `openai` unless it is given.
    pub provider: Option<String>,
}
