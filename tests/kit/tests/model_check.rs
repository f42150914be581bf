//! The model held against its own invariants, over random sequences of verbs.

koinon_kit::model_check!(koinon_kit::ModelHarness);
