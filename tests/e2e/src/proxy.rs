//! A way to a database that can be cut.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What happens to the connections that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Both ends are told at once that it is gone.
    Reset,
    /// The same, in the middle of the next answer of the server.
    InAnAnswer,
    /// Nobody is told: it stays open, and nothing passes any more.
    Silence,
}

/// Passes connections on to a server, until it is told to cut those that are there.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    server: u16,
    cuts: Arc<watch::Sender<Cut>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// A proxy before the server of this URL.
    pub async fn before(url: &str) -> Self {
        let server = port(url);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cuts = Arc::new(watch::Sender::new(Cut::Reset));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, server, Arc::clone(&cuts)));
        Self { port, server, cuts, _tasks: tasks }
    }

    /// The URL by way of the proxy.
    #[must_use]
    pub fn url(&self, direct: &str) -> String {
        direct.replacen(&format!(":{}/", self.server), &format!(":{}/", self.port), 1)
    }

    /// Cuts every connection that is there; new ones pass. Returns how many there were.
    pub fn cut(&self, how: Cut) -> usize {
        let there = self.cuts.receiver_count();
        self.cuts.send_replace(how);
        there
    }
}

fn port(url: &str) -> u16 {
    let after_host = url.rsplit_once(':').expect("the URL has a port").1;
    after_host.split('/').next().unwrap().parse().unwrap()
}

async fn accept(listener: TcpListener, server: u16, cuts: Arc<watch::Sender<Cut>>) {
    let mut links = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let cut = cuts.subscribe();
        links.spawn(async move {
            // A link that fails is one that was cut, by whomever.
            let _ended = pass(client, server, cut).await;
        });
    }
}

async fn pass(mut client: TcpStream, server: u16, mut cut: watch::Receiver<Cut>) -> io::Result<()> {
    let mut server = TcpStream::connect(("127.0.0.1", server)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut asked, mut answered) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    let mut in_an_answer = false;
    loop {
        tokio::select! {
            biased;
            changed = cut.changed(), if !in_an_answer => {
                if changed.is_err() {
                    return Ok(());
                }
                let how = *cut.borrow_and_update();
                match how {
                    Cut::Reset => return reset(&client, &server),
                    Cut::InAnAnswer => in_an_answer = true,
                    Cut::Silence => {
                        // It counts as there no longer, and yet it stays.
                        drop(cut);
                        return std::future::pending().await;
                    }
                }
            }
            size = client.read(&mut asked) => match size? {
                0 => return Ok(()),
                size => server.write_all(&asked[..size]).await?,
            },
            size = server.read(&mut answered) => match size? {
                0 => return Ok(()),
                size if in_an_answer => {
                    client.write_all(&answered[..size / 2]).await?;
                    return reset(&client, &server);
                }
                size => client.write_all(&answered[..size]).await?,
            },
        }
    }
}

fn reset(client: &TcpStream, server: &TcpStream) -> io::Result<()> {
    client.set_zero_linger()?;
    server.set_zero_linger()
}
