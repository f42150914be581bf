//! The durable job engine that embedders depend on: configuration, composition root, prelude.
