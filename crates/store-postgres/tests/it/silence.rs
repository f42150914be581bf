//! A peer that vanishes without a word.

use std::time::Duration;

use koinon_kit::job;
use koinon_store::{JobStore as _, SystemClock};
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::harness::Place;

/// What asks a connection whether it still lives: the wire protocol's `Sync`, and nothing else.
const PING: &[u8] = b"S\0\0\0\x04";

#[tokio::test]
async fn a_connection_that_falls_silent_while_it_is_given_back_does_not_keep_its_place() {
    let place = Place::new().await;
    let (url, is_deaf) = deaf_to_pings(&place.url()).await;
    let options = Options {
        max_connections: 1,
        answer_for: Duration::from_secs(4),
        notifications: Notifications::Off,
        ..Options::default()
    };
    let store = PostgresStore::open(&url, options, Time::Database).await.unwrap();
    let submit = async || store.submit(vec![job().build(&SystemClock::new())]).await;
    for _ in 0..3 {
        is_deaf.send_replace(true);
        submit().await.unwrap();
        is_deaf.send_replace(false);
        // The only place is taken for no longer than the connection is asked whether it lives.
        submit().await.unwrap();
    }
    store.close().await;
}

/// Passes connections on to the server of a URL, and while it is told to be deaf takes a ping for the last thing that
/// it ever hears on that connection. Answers the URL that leads to it.
async fn deaf_to_pings(url: &str) -> (String, watch::Sender<bool>) {
    let server = url.rsplit_once(':').unwrap().1.split('/').next().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let through = url.replacen(&format!(":{server}/"), &format!(":{port}/"), 1);
    let server: u16 = server.parse().unwrap();
    let (tell, told) = watch::channel(false);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass(client, server, told.clone()));
        }
    });
    (through, tell)
}

async fn pass(client: TcpStream, server: u16, is_deaf: watch::Receiver<bool>) {
    let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let ((mut asks, mut hears), (mut answers, mut asked)) =
        (client.into_split(), server.into_split());
    let back = tokio::spawn(async move { tokio::io::copy(&mut answers, &mut hears).await });
    let mut sent = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = asks.read(&mut sent).await {
        let sent = &sent[..count];
        if sent == PING && *is_deaf.borrow() {
            // Nothing is answered any more, and the connection stays open until the client lets go.
            while let Ok(1..) = asks.read(&mut [0; 64]).await {}
            break;
        }
        asked.write_all(sent).await.unwrap();
    }
    back.abort();
}
