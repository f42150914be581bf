//! `nest`: calls inside of its root, and leaves something behind that goes on when the root has ended.

use std::io::Write as _;

use koinon::admission::{Refused, Root};
use koinon::prelude::{Failure, JobContext, JobError, Workload, async_trait};
use serde::Deserialize;

pub(crate) struct Nest;

/// How deep.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    depth: u32,
}

#[async_trait]
impl Workload for Nest {
    const KIND: &'static str = "nest";
    const STAGES: &'static [&'static str] = &["nest"];
    type Input = Input;
    type Output = u32;

    async fn run(&self, job: &JobContext, input: Input) -> Result<u32, JobError> {
        let refused = |refused: Refused| Failure::permanent(refused.to_string());
        let mut nested = Vec::new();
        for _ in 0..input.depth {
            nested.push(job.root().reuse().map_err(refused)?);
        }
        let root = job.root();
        std::thread::spawn(move || outlive(&root));
        let depth = input.depth;
        job.stage("nest").once(&depth, async |_stage| Ok(depth)).await
    }
}

/// Asks for the root's permit until that is refused, and says so on standard output.
fn outlive(root: &Root) {
    let refused = loop {
        match root.reuse() {
            Ok(_) => std::thread::yield_now(),
            Err(refused) => break refused,
        }
    };
    let line = serde_json::json!({ "detached": refused.to_string() });
    // A test that looks for the line misses it.
    let _unwritten = writeln!(std::io::stdout(), "{line}");
}
