//! From the settings to an open engine with the test workloads.

use anyhow::Context as _;
use koinon::Koinon;
use koinon::prelude::{Flags, Profile, Settings};

use crate::args::Args;
use crate::workloads;

/// The settings of `koinon.toml` and the environment.
pub(crate) fn settings() -> anyhow::Result<Settings> {
    Ok(Settings::load(&Flags::default())?.settings)
}

/// Opens what the settings name.
pub(crate) async fn open(args: &Args) -> anyhow::Result<Koinon> {
    let mut builder = workloads::add_to(Koinon::builder(settings()?));
    if let Some(file) = &args.prices {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        builder = builder.prices(Profile::from_toml(&text)?);
    }
    Ok(builder.open().await?)
}
