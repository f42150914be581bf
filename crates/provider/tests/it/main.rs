//! The OpenAI-compatible provider against a server that is cut at every point.

#![cfg(test)]

mod answers;
mod before_sending;
mod cuts;
mod reuse;
mod server;
mod wire;
