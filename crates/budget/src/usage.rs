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
