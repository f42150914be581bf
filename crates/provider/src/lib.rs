//! Model providers: OpenAI-compatible servers and the deterministic offline one.
