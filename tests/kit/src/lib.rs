//! The test kit: model store, manual clock, fake providers and the conformance suite.
