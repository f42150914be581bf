//! A model provider that answers as it is told and remembers what it was asked.

mod outcome;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use koinon_provider::{Call, CallMetadata, Outcome, Provider, Request};
use tokio::sync::watch;

pub use outcome::{answered, in_doubt, refused, unsent, unusable};

/// A call as the provider received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// The key that is equal over all tries of one call.
    pub idempotency_key: String,
    /// What was asked.
    pub request: Request,
    /// Who asked.
    pub metadata: CallMetadata,
    /// The longest that the call may take.
    pub deadline: Duration,
}

/// A provider for tests. Without a script it answers every call at once with [`answered`], its text the
/// last message of the request.
///
/// Calls are numbered as they arrive. Behind the gate they wait in that order; a call that is dropped
/// there stays received.
pub struct FakeProvider {
    name: String,
    script: Mutex<Script>,
    arrived: watch::Sender<u64>,
    let_through: watch::Sender<u64>,
}

#[derive(Default)]
struct Script {
    received: Vec<Received>,
    next: VecDeque<Outcome>,
    matching: Vec<(String, VecDeque<Outcome>)>,
}

impl FakeProvider {
    /// A provider of this name, its gate open.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            script: Mutex::default(),
            arrived: watch::Sender::new(0),
            let_through: watch::Sender::new(u64::MAX),
        }
    }

    /// Scripts the next calls, whichever they are, in the order of their arrival.
    pub fn script(&self, outcomes: impl IntoIterator<Item = Outcome>) {
        self.script.lock().unwrap().next.extend(outcomes);
    }

    /// Scripts the calls whose last message contains a text, so that the order in which concurrent
    /// calls arrive does not matter. It goes before [`Self::script`].
    pub fn script_for(&self, text: &str, outcomes: impl IntoIterator<Item = Outcome>) {
        let outcomes = outcomes.into_iter().collect();
        self.script.lock().unwrap().matching.push((text.to_owned(), outcomes));
    }

    /// Every call so far, in the order of arrival.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.script.lock().unwrap().received.clone()
    }

    /// How many calls have arrived.
    #[must_use]
    pub fn count(&self) -> usize {
        self.script.lock().unwrap().received.len()
    }

    /// Holds every call that arrives from now on in flight.
    pub fn close_gate(&self) {
        self.let_through.send_replace(*self.arrived.borrow());
    }

    /// Lets so many of the calls behind the gate be answered.
    pub fn let_through(&self, calls: u64) {
        self.let_through.send_modify(|through| *through = through.saturating_add(calls));
    }

    /// Lets every call be answered.
    pub fn open_gate(&self) {
        self.let_through.send_replace(u64::MAX);
    }

    /// Waits until so many calls have arrived.
    pub async fn arrived(&self, calls: u64) {
        let mut arrived = self.arrived.subscribe();
        arrived.wait_for(|count| *count >= calls).await.expect("the provider keeps the sender");
    }

    /// Notes a call and says which number it has and how it will be answered.
    fn receive(&self, call: &Call<'_>) -> (u64, Outcome) {
        let mut script = self.script.lock().unwrap();
        script.received.push(Received {
            idempotency_key: call.idempotency_key.clone(),
            request: call.request.clone(),
            metadata: call.metadata.clone(),
            deadline: call.deadline,
        });
        let number = script.received.len() as u64;
        let text = call.request.messages.last().map_or("", |message| &message.content);
        let outcome = script.outcome(text);
        self.arrived.send_replace(number);
        (number, outcome)
    }
}

impl Script {
    fn outcome(&mut self, text: &str) -> Outcome {
        let mut matching = self.matching.iter_mut().filter(|(part, _)| text.contains(&**part));
        let scripted = matching.find_map(|(_, outcomes)| outcomes.pop_front());
        scripted.or_else(|| self.next.pop_front()).unwrap_or_else(|| answered(text))
    }
}

impl fmt::Debug for FakeProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeProvider").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl Provider for FakeProvider {
    fn name(&self) -> &str {
        &self.name
    }

    async fn send(&self, call: Call<'_>) -> Outcome {
        let (number, outcome) = self.receive(&call);
        let mut through = self.let_through.subscribe();
        through.wait_for(|through| *through >= number).await.expect("it keeps the sender");
        outcome
    }
}
