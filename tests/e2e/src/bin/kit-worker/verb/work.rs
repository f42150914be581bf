//! `kit-worker work`: works on the test workloads until it is told to stop.

use std::process::ExitCode;

use koinon_worker::{Ended, Moment};
use serde::Serialize;

use super::tell;
use crate::args::Args;
use crate::engine;

/// The first line on standard output: who a claim of this process belongs to.
#[derive(Serialize)]
struct Started {
    worker_id: String,
    pid: u32,
}

/// The last line, unless the process was killed.
#[derive(Serialize)]
struct Worked {
    /// Whether everything was settled or handed back.
    clean: bool,
    calls: u64,
    replayed_calls: u64,
}

/// The same program as `koinon-worker`, with other workloads.
pub(crate) fn work(args: &Args) -> anyhow::Result<ExitCode> {
    let mut told = Ok(());
    let exit = koinon_worker::work(engine::builder(args)?, |moment| {
        let now = match moment {
            Moment::Started(workers) => {
                tell(&Started { worker_id: workers.id().to_string(), pid: std::process::id() })
            }
            Moment::Ended(workers, ended) => {
                let standing = workers.standing();
                tell(&Worked {
                    clean: ended == Ended::Clean,
                    calls: standing.iter().map(|site| site.calls).sum(),
                    replayed_calls: standing.iter().map(|site| site.replayed_calls).sum(),
                })
            }
        };
        if now.is_err() {
            told = now;
        }
    });
    told?;
    Ok(exit)
}
