//! A peer that vanishes without a word.

use std::time::Duration;

use koinon_kit::job;
use koinon_store::{JobStore as _, SystemClock};
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::harness::Place;

/// What asks a connection whether it still lives: the wire protocol's `Sync`, and nothing else.
const PING: &[u8] = b"S\0\0\0\x04";

#[tokio::test]
async fn a_connection_that_falls_silent_while_it_is_given_back_does_not_keep_its_place() {
    let place = Place::new().await;
    let deaf = Deaf::before(&place.url()).await;
    let options = Options {
        max_connections: 1,
        answer_for: Duration::from_secs(4),
        notifications: Notifications::Off,
        ..Options::default()
    };
    let store = PostgresStore::open(&deaf.url, options, Time::Database).await.unwrap();
    let submit = async || store.submit(vec![job().build(&SystemClock::new())]).await;
    for _ in 0..3 {
        // The connection goes back as soon as somebody has what he asked for. One of the two waits for its place, for
        // no longer than the connection is asked whether it lives.
        deaf.is_deaf.send_replace(true);
        submit().await.unwrap();
        deaf.is_deaf.send_replace(false);
        submit().await.unwrap();
    }
    store.close().await;
}

/// Passes connections on to a server. While it is told to be deaf, a ping is the last thing that it hears on a
/// connection.
struct Deaf {
    url: String,
    is_deaf: watch::Sender<bool>,
    _passing: JoinSet<()>,
}

impl Deaf {
    /// One before the server of this URL.
    async fn before(url: &str) -> Self {
        let server = url.rsplit_once(':').unwrap().1.split('/').next().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let through = url.replacen(&format!(":{server}/"), &format!(":{port}/"), 1);
        let (is_deaf, told) = watch::channel(false);
        let mut passing = JoinSet::new();
        passing.spawn(accept(listener, server.parse().unwrap(), told));
        Self { url: through, is_deaf, _passing: passing }
    }
}

async fn accept(listener: TcpListener, server: u16, is_deaf: watch::Receiver<bool>) {
    let mut passing = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        passing.spawn(pass(client, server, is_deaf.clone()));
    }
}

async fn pass(client: TcpStream, server: u16, is_deaf: watch::Receiver<bool>) {
    let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let (mut asks, mut hears) = client.into_split();
    let (mut answers, mut asked) = server.into_split();
    let there = async {
        let mut sent = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = asks.read(&mut sent).await {
            if sent[..count] == *PING && *is_deaf.borrow() {
                // The connection stays open, and nothing is answered any more.
                std::future::pending::<()>().await;
            }
            asked.write_all(&sent[..count]).await.unwrap();
        }
    };
    // Whichever side lets go first.
    tokio::select! {
        () = there => {}
        _copied = tokio::io::copy(&mut answers, &mut hears) => {}
    }
}
