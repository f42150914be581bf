//! What a provider call used, in tokens.

/// Tokens that one call used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// All input tokens, the cached ones included.
    pub input_tokens: u64,
    /// The part of `input_tokens` that the provider read from its cache; never more than those.
    pub cached_input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
}

impl Usage {
    /// The same, where no count is higher than what the ledger can count.
    #[must_use]
    pub fn countable(self) -> Self {
        let most = i64::MAX.unsigned_abs();
        Self {
            input_tokens: self.input_tokens.min(most),
            cached_input_tokens: self.cached_input_tokens.min(most),
            output_tokens: self.output_tokens.min(most),
        }
    }
}
