//! Submitting a job and driving it in this process.

use koinon_runner::Driven;
use koinon_store::JobStatus;

use crate::{Datasource, Error, Koinon, Queue, Submit};

impl Koinon {
    /// Submits a job, or finds it, and drives it in this process until it has ended or pauses. While
    /// another process holds it, this one follows it; when that one has died, this one takes over.
    ///
    /// It starts a worker for this job and drains it afterwards. A program that runs many jobs starts
    /// one [`worker`](Self::worker) for all of them.
    ///
    /// # Errors
    ///
    /// [`Error::Elsewhere`] if its queue is not in the primary database. As [`submit`](Self::submit); [`Error::Trouble`] if the end of a claim could not be written. That
    /// the job itself failed is no error: its status says so.
    ///
    /// # Cancel safety
    ///
    /// A job whose `run` is dropped goes on in the background until the runtime ends, and is recovered
    /// after that.
    pub async fn run(&self, new: Submit) -> Result<JobStatus, Error> {
        let queue = self.queue_of(&new)?;
        let datasource = Queue::of(queue.clone(), self.settings()).datasource;
        if datasource.url(self.settings()) != Datasource::Primary.url(self.settings()) {
            return Err(Error::Elsewhere { queue, datasource });
        }
        let job = self.submit(new).await?.job();
        let worker = self.worker(vec![queue]);
        let driven = worker.drive(self.tenant(), job).await;
        worker.drain().await;
        match driven? {
            Driven::Ended(status) | Driven::Stopped(status) => Ok(*status),
            Driven::Trouble(trouble) => Err(Error::Trouble(trouble)),
            Driven::NotFound => {
                let what = format!("job {job} was submitted and is not there");
                Err(koinon_store::Error::Corrupt { what }.into())
            }
        }
    }
}
