//! The `koinon-worker` program: it runs the built-in workloads.

use std::process::ExitCode;

use koinon::workloads::dataset::Dataset;

fn main() -> ExitCode {
    koinon_worker::run(|builder| builder.workload(Dataset))
}
