//! Kinds of examples and their proportions.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What an example asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A fact that the passage states.
    Factual,
    /// What something is, or what a term means.
    Definition,
    /// How something is done, or in which order.
    Procedural,
}

impl Kind {
    /// Every kind, in the order in which they are listed everywhere.
    pub const ALL: [Self; 3] = [Self::Factual, Self::Definition, Self::Procedural];

    /// Its name in settings, prompts and rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Definition => "definition",
            Self::Procedural => "procedural",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The weight of each kind that is wanted; a kind without a weight is not planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mix(BTreeMap<Kind, u32>);

impl Default for Mix {
    fn default() -> Self {
        Self(BTreeMap::from([(Kind::Factual, 60), (Kind::Definition, 20), (Kind::Procedural, 20)]))
    }
}

impl Mix {
    /// The kinds that are wanted, with their weights, which are above 0.
    pub fn weights(&self) -> impl Iterator<Item = (Kind, u32)> + '_ {
        self.0.iter().map(|(kind, weight)| (*kind, *weight))
    }

    /// How many of `total` each kind gets: exact shares rounded by largest remainder.
    #[must_use]
    pub fn counts(&self, total: usize) -> BTreeMap<Kind, usize> {
        let sum: u128 = self.0.values().map(|weight| u128::from(*weight)).sum();
        let wide = u128::try_from(total).unwrap_or(u128::MAX);
        let mut left = total;
        let mut counts = BTreeMap::new();
        let mut remainders = Vec::new();
        for (kind, weight) in self.weights() {
            let share = wide.saturating_mul(u128::from(weight));
            let whole = share.checked_div(sum).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            counts.insert(kind, whole);
            left = left.saturating_sub(whole);
            remainders.push((share.checked_rem(sum).unwrap_or(0), kind));
        }
        remainders.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        for (_, kind) in remainders.into_iter().take(left) {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Kind::ALL.map(Kind::name).join(", ");
        let allowed = format!("kind=weight,… with kinds {names} and weights 0 to 10000, not all 0");
        let mut weights = BTreeMap::new();
        for part in text.split(',') {
            let (name, weight) = part.split_once('=').ok_or_else(|| allowed.clone())?;
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name.trim());
            let weight = weight.trim().parse::<u32>().ok().filter(|weight| *weight <= 10_000);
            let (Some(kind), Some(weight)) = (kind, weight) else { return Err(allowed) };
            if weights.insert(kind, weight).is_some() {
                return Err(format!("each kind once ({names})"));
            }
        }
        weights.retain(|_, weight| *weight > 0);
        if weights.is_empty() { Err(allowed) } else { Ok(Self(weights)) }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, weight)) in self.weights().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{kind}={weight}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_to_the_total() {
        let mix: Mix = "factual=1,definition=1,procedural=1".parse().unwrap();
        for total in 0..20 {
            assert_eq!(mix.counts(total).values().sum::<usize>(), total);
        }
        let counts = Mix::default().counts(10);
        assert_eq!(counts.into_values().collect::<Vec<_>>(), [6, 2, 2]);
    }
}
