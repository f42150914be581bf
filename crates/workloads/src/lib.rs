//! The built-in workloads, written on the runner's public interface only.

pub mod dataset;
