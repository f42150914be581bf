//! End-to-end and crash tests against the built programs.
