//! From the settings to an open engine with the test workloads.

use anyhow::Context as _;
use koinon::prelude::{Flags, Profile, Settings};
use koinon::{Builder, Koinon};

use crate::args::Args;
use crate::workloads;

/// The settings of `koinon.toml` and the environment.
pub(crate) fn settings() -> anyhow::Result<Settings> {
    Ok(Settings::load(&Flags::default())?.settings)
}

/// Opens what the settings name.
pub(crate) async fn open(args: &Args) -> anyhow::Result<Koinon> {
    Ok(builder(args)?.open().await?)
}

/// An engine with the test workloads that is not open yet.
pub(crate) fn builder(args: &Args) -> anyhow::Result<Builder> {
    let builder = workloads::add_to(Koinon::builder(settings()?));
    Ok(match &args.prices {
        None => builder,
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            builder.prices(Profile::from_toml(&text)?)
        }
    })
}
