//! The `koinon` command line.

fn main() {}
