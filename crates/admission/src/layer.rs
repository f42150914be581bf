//! A `tower` layer: each call of the inner service is a root operation.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tower::{Layer, Service};

use crate::{Bulkhead, Permit, Refused};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Acquire = Pin<Box<dyn Future<Output = Result<Permit, Refused>> + Send + Sync>>;

/// Puts a [`Bulkhead`] in front of a service. Every service that it makes shares the places.
#[derive(Debug, Clone)]
pub struct AdmissionLayer {
    bulkhead: Bulkhead,
}

/// A service whose every call holds a permit until its response future is done or dropped.
///
/// **`poll_ready` reserves.** The permit is taken there, not in `call`; a service that said it was
/// ready keeps its place until it is called or dropped. So poll it only when a request is at hand,
/// as `tower::ServiceExt::oneshot` does; a clone has no reservation of its own. A response body
/// that is streamed after the response future is done runs without the permit.
pub struct AdmissionService<S> {
    inner: S,
    bulkhead: Bulkhead,
    turn: Turn,
}

/// Why a call through [`AdmissionService`] failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E> {
    /// The bulkhead did not let the call in; the inner service was not called.
    #[error("admitting a call")]
    Refused(#[source] Refused),
    /// `call` came without a `poll_ready` that answered ready; the inner service was not called.
    #[error("the service was called before it was ready")]
    NotReady,
    /// The inner service failed.
    #[error(transparent)]
    Inner(E),
}

enum Turn {
    Idle,
    Waiting(Acquire),
    Reserved(Permit),
}

impl AdmissionLayer {
    /// A layer over `bulkhead`.
    #[must_use]
    pub const fn new(bulkhead: Bulkhead) -> Self {
        Self { bulkhead }
    }
}

impl<S> Layer<S> for AdmissionLayer {
    type Service = AdmissionService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        AdmissionService { inner, bulkhead: self.bulkhead.clone(), turn: Turn::Idle }
    }
}

impl<S> AdmissionService<S> {
    fn poll_turn(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Refused>> {
        loop {
            match &mut self.turn {
                Turn::Reserved(_) => return Poll::Ready(Ok(())),
                Turn::Idle => {
                    let bulkhead = self.bulkhead.clone();
                    self.turn = Turn::Waiting(Box::pin(async move { bulkhead.acquire().await }));
                }
                Turn::Waiting(turn) => {
                    let turn = ready!(turn.as_mut().poll(cx));
                    self.turn = Turn::Idle;
                    self.turn = Turn::Reserved(turn?);
                }
            }
        }
    }
}

impl<S, Request> Service<Request> for AdmissionService<S>
where
    S: Service<Request>,
    S::Response: 'static,
    S::Error: 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Error<S::Error>;
    type Future = Boxed<Result<S::Response, Error<S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        ready!(self.poll_turn(cx)).map_err(Error::Refused)?;
        self.inner.poll_ready(cx).map_err(|error| {
            self.turn = Turn::Idle;
            Error::Inner(error)
        })
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Turn::Reserved(permit) = std::mem::replace(&mut self.turn, Turn::Idle) else {
            return Box::pin(async { Err(Error::NotReady) });
        };
        let response = self.inner.call(request);
        Box::pin(async move {
            let _permit = permit;
            response.await.map_err(Error::Inner)
        })
    }
}

impl<S: Clone> Clone for AdmissionService<S> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), bulkhead: self.bulkhead.clone(), turn: Turn::Idle }
    }
}

impl<S: fmt::Debug> fmt::Debug for AdmissionService<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdmissionService").field("inner", &self.inner).finish_non_exhaustive()
    }
}
