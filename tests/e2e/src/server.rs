//! A server that speaks the OpenAI protocol on the loopback interface, does what its script says, and
//! remembers every request.

mod http;
mod log;
mod reply;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

pub use log::{Asked, Logged, Outcome};
pub use reply::{Reply, answer_to, first_sentence};

use log::Log;
use reply::How;

/// The longest that a test waits for something to happen at the server.
const PATIENCE: Duration = Duration::from_secs(60);

type Script = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A running server; it ends with this value.
pub struct Server {
    port: u16,
    log: Arc<Log>,
    _tasks: JoinSet<()>,
}

impl Server {
    /// A server that answers each request as `script` says.
    pub async fn start(script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Log::default());
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::new(script), Arc::clone(&log)));
        Self { port, log, _tasks: tasks }
    }

    /// A server that answers at once with the passage's first sentence.
    pub async fn answering() -> Self {
        Self::start(Reply::answer).await
    }

    /// What `--base-url` is to be.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Every request so far, in the order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<Logged> {
        self.log.all()
    }

    /// How many requests there were so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.log.all().len()
    }

    /// The most requests that were under way at once.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.log.most_at_once()
    }

    /// Waits until there were `count` requests.
    pub async fn until_asked(&self, count: usize) {
        self.until(&format!("{count} requests"), |log| log.len() >= count).await;
    }

    /// Waits until `count` requests were answered with a complete response.
    pub async fn until_answered(&self, count: usize) {
        let is_enough = |log: &[Logged]| {
            log.iter().filter(|one| one.outcome == Outcome::Responded).count() >= count
        };
        self.until(&format!("{count} responses"), is_enough).await;
    }

    /// Waits until the log is as `condition` wants it.
    pub async fn until(&self, what: &str, condition: impl Fn(&[Logged]) -> bool) {
        let mut changes = self.log.changes();
        let met = async {
            while !condition(&self.log.all()) {
                changes.changed().await.unwrap();
            }
        };
        if tokio::time::timeout(PATIENCE, met).await.is_err() {
            panic!("no {what} within {PATIENCE:?}: {:#?}", self.log.all());
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("port", &self.port).finish_non_exhaustive()
    }
}

async fn accept(listener: TcpListener, script: Arc<Script>, log: Arc<Log>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(serve(stream, Arc::clone(&script), Arc::clone(&log)));
        while connections.try_join_next().is_some() {}
    }
}

/// Answers the requests of one connection, until it or the script ends it.
async fn serve(stream: TcpStream, script: Arc<Script>, log: Arc<Log>) {
    let mut stream = BufStream::new(stream);
    while let Some(request) = http::read(&mut stream).await {
        let asked = log.arrived(&request);
        let reply = script(&asked);
        tokio::time::sleep(reply.after).await;
        let (bytes, outcome) = match reply.how {
            How::Respond(bytes) => (bytes, Outcome::Responded),
            How::Cut(bytes) => (bytes, Outcome::Cut),
        };
        // A client that was killed has gone: then nobody heard the answer.
        let sent = stream.write_all(&bytes).await.is_ok() && stream.flush().await.is_ok();
        let outcome = if sent { outcome } else { Outcome::Unheard };
        log.ended(asked.number, outcome);
        if outcome != Outcome::Responded {
            return;
        }
    }
}
