//! The store does what the model does.

koinon_kit::model_check!(crate::harness::OnSqlite, koinon_kit::Locking::Whole);
