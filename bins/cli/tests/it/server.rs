//! An OpenAI-compatible server that copies the passage's first sentence, or holds its answers back.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::{Value, json};

/// A server on a port of its own; it ends with the test's process.
pub(crate) struct Server {
    url: String,
    gate: Arc<Gate>,
    requests: Receiver<String>,
}

#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Server {
    /// Nothing is answered before [`open`](Self::open).
    pub(crate) fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let gate = Arc::new(Gate::default());
        let (sender, requests) = channel();
        let held = Arc::clone(&gate);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (gate, sender) = (Arc::clone(&held), sender.clone());
                thread::spawn(move || serve(&stream, &gate, &sender));
            }
        });
        Self { url, gate, requests }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Lets all answers go, those that wait included.
    pub(crate) fn open(&self) {
        *self.gate.is_open.lock().unwrap() = true;
        self.gate.opened.notify_all();
    }

    /// Waits for the next request and gives its idempotency key.
    pub(crate) fn next_request(&self) -> String {
        self.requests.recv().unwrap()
    }

    /// The keys of all requests that came since.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.try_iter().collect()
    }
}

fn serve(stream: &TcpStream, gate: &Gate, sender: &Sender<String>) {
    let mut reader = BufReader::new(stream);
    while let Some((key, body)) = read_request(&mut reader) {
        // The test may be over.
        let _over = sender.send(key);
        let open = gate.opened.wait_while(gate.is_open.lock().unwrap(), |open| !*open);
        drop(open.unwrap());
        let answer = answer(&body).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        let mut stream = stream;
        if stream.write_all((head + &answer).as_bytes()).is_err() {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<&TcpStream>) -> Option<(String, Value)> {
    let (mut key, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            match name.to_ascii_lowercase().as_str() {
                "idempotency-key" => key = value.trim().to_owned(),
                "content-length" => length = value.trim().parse().unwrap(),
                _ => {}
            }
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((key, serde_json::from_slice(&body).unwrap()))
}

fn answer(body: &Value) -> Value {
    let messages = body["messages"].as_array().unwrap();
    let text = messages.last().unwrap()["content"].as_str().unwrap();
    let passage = text.split_once("<<<PASSAGE\n").unwrap().1.split_once("\nPASSAGE>>>").unwrap().0;
    let sentence = passage.split_inclusive('.').next().unwrap().trim();
    let content = json!({"question": "What is said?", "answer": sentence, "quote": sentence});
    json!({
        "id": "x",
        "object": "chat.completion",
        "model": body["model"],
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": content.to_string()},
            "finish_reason": "stop",
        }],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}
