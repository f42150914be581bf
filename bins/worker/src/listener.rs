//! The listener for health and metrics. It is no application: three pages, and nothing that changes anything.

mod metrics;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use koinon::Workers;
use koinon::domain::ErrorCode;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::refusal::Refusal;

/// So many connections at once are served; more wait.
const CONNECTIONS: usize = 32;

/// How long a request may take to arrive, and a connection to be idle.
const REQUEST_FOR: Duration = Duration::from_secs(10);

/// How long a connection is kept at the most.
const CONNECTION_FOR: Duration = Duration::from_mins(10);

/// An address that is listened to.
#[derive(Debug)]
pub(crate) struct Listener(TcpListener);

impl Listener {
    pub(crate) async fn bind(address: SocketAddr) -> Result<Self, Refusal> {
        let bound = TcpListener::bind(address).await.map_err(|error| {
            Refusal::new(ErrorCode::USAGE, format!("worker.listen = {address}: {error}"))
        })?;
        tracing::info!(address = %bound.local_addr().unwrap_or(address), "listening");
        Ok(Self(bound))
    }

    /// Serves until it is dropped.
    pub(crate) async fn serve(self, workers: Arc<Workers>) {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        // The semaphore is never closed.
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match self.0.accept().await {
                Ok((stream, _)) => {
                    let workers = Arc::clone(&workers);
                    connections.spawn(async move {
                        connection(stream, workers).await;
                        drop(place);
                    });
                }
                // For want of files, mostly: others are closed meanwhile.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
            while connections.try_join_next().is_some() {}
        }
    }
}

async fn connection(stream: TcpStream, workers: Arc<Workers>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let workers = Arc::clone(&workers);
        async move {
            let response = answer(request.method(), request.uri().path(), &workers).await;
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_FOR);
    let served = http.serve_connection(TokioIo::new(stream), service);
    // Whatever a client does wrong is its own loss.
    let _ended = tokio::time::timeout(CONNECTION_FOR, served).await;
}

async fn answer(method: &Method, path: &str, workers: &Workers) -> Response<Full<Bytes>> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return text(StatusCode::METHOD_NOT_ALLOWED, "only GET\n".to_owned());
    }
    match path {
        "/healthz" => text(StatusCode::OK, "ok\n".to_owned()),
        "/readyz" => ready(workers),
        "/metrics" => text(StatusCode::OK, metrics::text(workers).await),
        _ => text(StatusCode::NOT_FOUND, "there are /healthz, /readyz and /metrics\n".to_owned()),
    }
}

/// Ready is a worker that takes on work: it was not told to stop, and reaches a database.
fn ready(workers: &Workers) -> Response<Full<Bytes>> {
    let standing = workers.standing();
    let mut says = String::new();
    for site in &standing {
        let state = if site.is_available { "available" } else { "unavailable" };
        for datasource in &site.datasources {
            says.push_str(&format!("{datasource} {state}\n"));
        }
    }
    if workers.is_stopped() {
        return text(StatusCode::SERVICE_UNAVAILABLE, format!("draining\n{says}"));
    }
    if standing.iter().any(|site| site.is_available) {
        text(StatusCode::OK, format!("ready\n{says}"))
    } else {
        text(StatusCode::SERVICE_UNAVAILABLE, format!("no database answers\n{says}"))
    }
}

fn text(status: StatusCode, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}
