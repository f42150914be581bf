//! The providers that a process has.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Provider;

/// The providers that a process has, by name.
#[derive(Debug, Clone, Default)]
pub struct Providers(BTreeMap<String, Arc<dyn Provider>>);

impl Providers {
    /// No providers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same providers and this one, in place of an earlier one of its name.
    #[must_use]
    pub fn with(mut self, provider: Arc<dyn Provider>) -> Self {
        self.0.insert(provider.name().to_owned(), provider);
        self
    }

    /// The provider of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Provider>> {
        self.0.get(name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Offline;

    #[test]
    fn a_provider_is_found_by_its_name() {
        let providers = Providers::new().with(Arc::new(Offline::new()));
        assert_eq!(providers.get("offline").map(|p| p.name()), Some("offline"));
        assert!(providers.get("openai").is_none());
        assert_eq!(providers.names().collect::<Vec<_>>(), ["offline"]);
    }
}
