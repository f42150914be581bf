//! `koinon price list`: the prices in effect.

use std::collections::BTreeMap;
use std::path::PathBuf;

use koinon::budget::{Price, Profile, Usage, built_in};
use koinon::domain::{ErrorCode, Timestamp};
use koinon::store::{Clock as _, SystemClock};
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::{instant, prices, view};

/// Options of `price list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// A price profile that overrides the built-in one
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

#[derive(Serialize)]
struct PricesView {
    prices: Vec<PriceView>,
}

#[derive(Serialize)]
struct PriceView {
    provider: String,
    model: String,
    input_usd_per_million: String,
    cached_input_usd_per_million: String,
    output_usd_per_million: String,
    profile: String,
    effective_from: String,
}

pub(crate) fn list(context: &Context, args: &ListArgs) -> Result<Exit, Fault> {
    let built_in =
        built_in().map_err(|error| Fault::new(ErrorCode::PERMANENT, error.to_string()))?;
    let own = args.prices.as_deref().map(prices::read).transpose()?;
    let profiles: Vec<Profile> = std::iter::once(built_in).chain(own).collect();
    let prices = in_effect(&profiles, SystemClock::new().now());
    context.console.show(&PricesView { prices }, |list| {
        let header = ["provider", "model", "input", "cached input", "output", "profile", "from"];
        let rows = list.prices.iter().map(|price| {
            [
                price.provider.clone(),
                price.model.clone(),
                price.input_usd_per_million.clone(),
                price.cached_input_usd_per_million.clone(),
                price.output_usd_per_million.clone(),
                price.profile.clone(),
                price.effective_from.clone(),
            ]
        });
        format!("{}prices in USD per million tokens\n", view::table(header, rows))
    })?;
    Ok(Exit::Succeeded)
}

/// Of the profiles in effect, each model's price from the last one that has it.
fn in_effect(profiles: &[Profile], now: Timestamp) -> Vec<PriceView> {
    let mut rows: BTreeMap<(&str, &str), (&Profile, Price)> = BTreeMap::new();
    for profile in profiles.iter().filter(|profile| profile.effective_from() <= now) {
        // A price for every model of a provider overrides the earlier ones of each of its models.
        for (provider, _, _) in profile.prices().filter(|(_, model, _)| *model == "*") {
            rows.retain(|(earlier, _), _| *earlier != provider);
        }
        for (provider, model, price) in profile.prices() {
            rows.insert((provider, model), (profile, price));
        }
    }
    let rows = rows.into_iter();
    rows.map(|((provider, model), (profile, price))| row(provider, model, profile, price)).collect()
}

fn row(provider: &str, model: &str, profile: &Profile, price: Price) -> PriceView {
    const MILLION: u64 = 1_000_000;
    let input = Usage { input_tokens: MILLION, ..Usage::default() };
    let cached = Usage { cached_input_tokens: MILLION, ..input };
    let output = Usage { output_tokens: MILLION, ..Usage::default() };
    PriceView {
        provider: provider.to_owned(),
        model: model.to_owned(),
        input_usd_per_million: price.cost(input).to_string(),
        cached_input_usd_per_million: price.cost(cached).to_string(),
        output_usd_per_million: price.cost(output).to_string(),
        profile: profile.id().to_string(),
        effective_from: instant::exact(profile.effective_from()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(id: &str, from: &str, input: &str) -> Profile {
        Profile::from_toml(&format!(
            "id = \"{id}\"\neffective_from = \"{from}\"\n[[price]]\nprovider = \"p\"\n\
             model = \"m\"\ninput_usd_per_million = \"{input}\"\noutput_usd_per_million = \"1\"\n"
        ))
        .unwrap()
    }

    #[test]
    fn a_later_profile_overrides_unless_it_is_not_in_effect_yet() {
        let profiles = [
            profile("first", "2026-01-01T00:00:00Z", "0.15"),
            profile("second", "2026-02-01T00:00:00Z", "0.25"),
        ];
        let shown = |now| in_effect(&profiles, now).remove(0).input_usd_per_million;
        assert_eq!(shown(profiles[0].effective_from()), "0.15");
        assert_eq!(shown(profiles[1].effective_from()), "0.25");
    }
}
