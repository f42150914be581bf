//! The suite on the model store.

koinon_kit::conformance!(koinon_kit::ModelHarness);
