//! As much of HTTP/1.1 as the program's client needs.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufStream};
use tokio::net::TcpStream;

/// A request that was read completely.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) line: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The value of a header, whose name is given in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The next request; `None` when the connection ends before a whole one is there.
pub(super) async fn read(stream: &mut BufStream<TcpStream>) -> Option<Request> {
    let line = line(stream).await?;
    let mut headers = Vec::new();
    loop {
        let header = self::line(stream).await?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { line, headers, body: Vec::new() };
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    request.body.resize(length, 0);
    stream.read_exact(&mut request.body).await.ok()?;
    Some(request)
}

async fn line(stream: &mut BufStream<TcpStream>) -> Option<String> {
    let mut line = String::new();
    if stream.read_line(&mut line).await.ok()? == 0 || !line.ends_with('\n') {
        return None;
    }
    Some(line.trim_end().to_owned())
}

/// A complete response.
pub(super) fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} -\r\ncontent-type: application/json\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
