//! Workloads of several queues, which answer with what they are given.

use koinon::prelude::*;

pub(crate) struct Plain;
pub(crate) struct Document;
pub(crate) struct Bulk;

macro_rules! answers {
    ($workload:ident, $kind:literal, $queue:literal) => {
        #[async_trait]
        impl Workload for $workload {
            const KIND: &'static str = $kind;
            const QUEUE: &'static str = $queue;
            const STAGES: &'static [&'static str] = &[];
            type Input = String;
            type Output = String;

            async fn run(&self, _: &JobContext, text: String) -> Result<String, JobError> {
                Ok(text)
            }
        }
    };
}

answers!(Plain, "plain", "plain");
answers!(Document, "scan", "document");
answers!(Bulk, "survey", "bulk_query");
