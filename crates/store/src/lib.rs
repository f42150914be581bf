//! The ports of the durable store, the guarded commit and the decisions behind it.
