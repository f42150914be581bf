//! A loopback server that does exactly what its script says, connection by connection.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use koinon_provider::{
    Call, CallMetadata, Format, Message, OpenAi, OpenAiConfig, Outcome, Provider as _, Request,
    Secret,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Longer than any test runs: only a test that moves the clock gets there.
pub(crate) const DEADLINE: Duration = Duration::from_secs(600);

/// A step of a connection. At the end of its steps a connection is closed.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Waits until the first bytes of a request are there, and leaves them unread.
    Await,
    /// Reads a whole request.
    Read,
    /// Writes these bytes.
    Write(Vec<u8>),
    /// Keeps the connection open for good.
    Hold,
}

/// Something that a test may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Accepted,
    Read,
    Written,
    Closed,
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    events: mpsc::UnboundedReceiver<Event>,
    _tasks: JoinSet<()>,
}

impl Server {
    /// A server whose n-th connection follows the n-th script; further ones are closed at once.
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (report, events) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        let log = Arc::clone(&requests);
        tasks.spawn(async move {
            let mut scripts = scripts.into_iter();
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                report.send(Event::Accepted).unwrap();
                let steps = scripts.next().unwrap_or_default();
                connections.spawn(follow(steps, stream, Arc::clone(&log), report.clone()));
            }
        });
        Self { port, requests, events, _tasks: tasks }
    }

    /// A server with one connection that reads one request and answers with these bytes.
    pub(crate) async fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        Self::start(vec![vec![Step::Read, Step::Write(bytes.into())]]).await
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// All requests that were read completely, in the order of their arrival.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits for the next event of this kind.
    pub(crate) async fn wait_for(&mut self, event: Event) {
        while self.events.recv().await.unwrap() != event {}
    }
}

async fn follow(
    steps: Vec<Step>,
    mut stream: TcpStream,
    log: Arc<Mutex<Vec<String>>>,
    report: mpsc::UnboundedSender<Event>,
) {
    for step in steps {
        match step {
            Step::Await => drop(stream.peek(&mut [0]).await),
            Step::Read => {
                let Some(request) = read_request(&mut stream).await else { break };
                log.lock().unwrap().push(request);
                report.send(Event::Read).unwrap();
            }
            // A client that has heard enough may have gone: that is no fault of the server's.
            Step::Write(bytes) => {
                let _gone = stream.write_all(&bytes).await;
                report.send(Event::Written).unwrap();
            }
            Step::Hold => std::future::pending().await,
        }
    }
    drop(stream);
    report.send(Event::Closed).unwrap();
}

/// One request with a length; `None` when the connection ends before the request does.
async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return Some(text.into_owned());
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

pub(crate) fn provider(base_url: String) -> OpenAi {
    let api_key = Some(Secret::new("test-key-0123456789".to_owned()));
    OpenAi::try_new(OpenAiConfig { name: "openai".to_owned(), base_url, api_key }).unwrap()
}

pub(crate) fn request() -> Request {
    Request {
        provider: "openai".to_owned(),
        model: "m-1".to_owned(),
        messages: vec![Message::system("Be brief."), Message::user("How are you?")],
        max_output_tokens: 64,
        format: Format::JsonObject,
    }
}

pub(crate) fn call(request: &Request) -> Call<'_> {
    Call {
        request,
        idempotency_key: "key-1".to_owned(),
        metadata: CallMetadata { job: "job-1".to_owned(), generation: 7 },
        deadline: DEADLINE,
    }
}

/// Sends one plain call.
pub(crate) async fn send(provider: &OpenAi) -> Outcome {
    provider.send(call(&request())).await
}

/// A complete response with a length.
pub(crate) fn response(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

pub(crate) const COMPLETION: &str = r#"{"id":"c-1","choices":[{"message":{"content":"well"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}"#;
