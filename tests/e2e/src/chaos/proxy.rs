//! A proxy before Postgres that cuts connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// At once.
    Now,
    /// In the middle of the next message, whoever sends it.
    Halfway,
}

/// A running proxy; it ends with this value.
#[derive(Debug)]
pub(super) struct Proxy {
    port: u16,
    open: Arc<AtomicUsize>,
    cuts: watch::Sender<Cut>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// A proxy on a free port of the loopback interface.
    pub(super) async fn start(to_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let open = Arc::new(AtomicUsize::new(0));
        let cuts = watch::Sender::new(Cut::Now);
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, to_port, Arc::clone(&open), cuts.clone()));
        Self { port, open, cuts, _tasks: tasks }
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Cuts all connections that are open; says how many.
    pub(super) fn cut(&self, how: Cut) -> usize {
        let open = self.open.load(Ordering::Relaxed);
        self.cuts.send_replace(how);
        open
    }
}

async fn accept(
    listener: TcpListener,
    to_port: u16,
    open: Arc<AtomicUsize>,
    cuts: watch::Sender<Cut>,
) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let (open, cuts) = (Arc::clone(&open), cuts.subscribe());
        connections.spawn(async move {
            open.fetch_add(1, Ordering::Relaxed);
            // A server that is being restarted cannot be reached; the client sees a closed connection.
            if let Ok(server) = TcpStream::connect(("127.0.0.1", to_port)).await {
                relay(client, server, cuts).await;
            }
            open.fetch_sub(1, Ordering::Relaxed);
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Hands on what either side sends until one of them closes, or the connection is cut. Then both see a
/// reset.
async fn relay(mut client: TcpStream, mut server: TcpStream, mut cuts: watch::Receiver<Cut>) {
    for side in [&client, &server] {
        // A side that has gone already needs neither.
        let _gone = side.set_nodelay(true).and_then(|()| side.set_zero_linger());
    }
    let is_doomed = AtomicBool::new(false);
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::select! {
        () = pump(from_client, to_server, &is_doomed) => {}
        () = pump(from_server, to_client, &is_doomed) => {}
        () = until_cut(&mut cuts, &is_doomed) => {}
    }
}

async fn until_cut(cuts: &mut watch::Receiver<Cut>, is_doomed: &AtomicBool) {
    while cuts.changed().await.is_ok() {
        match *cuts.borrow_and_update() {
            Cut::Now => return,
            Cut::Halfway => is_doomed.store(true, Ordering::Relaxed),
        }
    }
}

async fn pump(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, is_doomed: &AtomicBool) {
    let mut bytes = vec![0; 16 * 1_024];
    while let Ok(read) = from.read(&mut bytes).await {
        if read == 0 {
            return;
        }
        let cut_here = is_doomed.load(Ordering::Relaxed);
        let part = if cut_here { read / 2 } else { read };
        if to.write_all(&bytes[..part]).await.is_err() || cut_here {
            return;
        }
    }
}
