//! A durable job of two stages with one paid call and a budget. Run it again after a crash, and it goes on
//! after its last finished stage; run it again after its end, and nothing is asked or paid for.
//!
//! It keeps its database and its artifacts in `.koinon`, below the working directory.

use koinon::prelude::*;

struct Quiz;

#[async_trait]
impl Workload for Quiz {
    const KIND: &'static str = "quiz";
    const STAGES: &'static [&'static str] = &["ask", "frame"];
    type Input = String;
    type Output = String;

    async fn run(&self, job: &JobContext, text: String) -> Result<String, JobError> {
        let messages = vec![Message::user(format!("<<<PASSAGE\n{text}\nPASSAGE>>>"))];
        let (provider, model, format) = ("offline".into(), "extractive-1".into(), Format::Text);
        let ask = Request { provider, model, messages, max_output_tokens: 256, format };
        let answer = job.stage("ask").once(&ask, async |s| Ok(s.call(&ask).await?.text)).await?;
        job.stage("frame").once(&answer, async |_| Ok(format!("A quiz: {answer}"))).await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let koinon = Koinon::builder(Settings::default()).workload(Quiz).open().await?;
    let job = Submit::of::<Quiz>("tides", &"The moon pulls the tides.")?.budget("0.50".parse()?);
    let status = koinon.run(job).await?;
    koinon.close().await;
    assert_eq!(status.run.state, State::Succeeded);
    Ok(())
}
