//! The store keeps every promise of the suite.

koinon_kit::conformance!(crate::harness::OnPostgres);
