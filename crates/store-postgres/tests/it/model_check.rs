//! The store does what the model does.

koinon_kit::model_check!(crate::harness::OnPostgres, koinon_kit::Locking::Rows);
