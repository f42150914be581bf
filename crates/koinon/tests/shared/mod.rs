//! Workloads that answer with what they were given.

use koinon::prelude::*;

macro_rules! answers {
    ($workload:ident, $kind:literal, $queue:expr) => {
        pub(crate) struct $workload;

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
