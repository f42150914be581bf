//! The requests that share one transaction.

use std::collections::HashSet;
use std::time::Duration;

use super::Request;
use super::request::{CommitCall, SubmitCall};
use crate::error::{self, Failure};
use crate::tx::Tx;
use crate::write;

const MEMBERS_MAX: usize = 100;
const BYTES_MAX: usize = 1024 * 1024;

/// After this time no more join, so that a transaction stays under 50 ms.
const JOIN_FOR: Duration = Duration::from_millis(40);

/// The members of one transaction, in the order in which they came.
#[derive(Debug)]
pub(crate) struct Group {
    members: Vec<Request>,
    /// How many of them have run.
    ran: usize,
    bytes: usize,
    joining: Joining,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joining {
    Open,
    /// Its one member is tried alone, because it may have spoilt a group.
    Closed,
}

impl Group {
    pub(crate) fn of(first: Request) -> Self {
        let bytes = first.size();
        Self { members: vec![first], ran: 0, bytes, joining: Joining::Open }
    }

    pub(crate) fn add(&mut self, request: Request) {
        self.bytes += request.size();
        self.members.push(request);
    }

    pub(crate) const fn has_room(&self) -> bool {
        matches!(self.joining, Joining::Open)
            && self.members.len() < MEMBERS_MAX
            && self.bytes < BYTES_MAX
    }

    /// Whether another member may join after so long a time in the transaction.
    pub(crate) fn takes_more(&self, spent: Duration) -> bool {
        self.has_room() && spent < JOIN_FOR
    }

    /// Runs the members that have not run. Commits of different jobs that stand together are loaded and
    /// saved together, and so are submissions.
    pub(crate) async fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        while self.ran < self.members.len() {
            let Some(rest) = self.members.get_mut(self.ran..) else { break };
            let mut submits: Vec<&mut SubmitCall> = Vec::new();
            let mut commits: Vec<&mut CommitCall> = Vec::new();
            let mut jobs = HashSet::new();
            for member in rest {
                match member {
                    Request::Submit(call) if commits.is_empty() => submits.push(call),
                    Request::Commit(call)
                        if submits.is_empty() && jobs.insert(call.request().job) =>
                    {
                        commits.push(call);
                    }
                    _ => break,
                }
            }
            let together = submits.len() + commits.len();
            if !submits.is_empty() {
                write::submit(tx, &mut submits).await?;
            } else if !commits.is_empty() {
                write::commit(tx, &mut commits).await?;
            } else if let Some(member) = self.members.get_mut(self.ran) {
                member.run(tx).await?;
            }
            self.ran += together.max(1);
        }
        Ok(())
    }

    /// Whether the failure may be that of a single member, so that the others are to be tried alone.
    pub(crate) fn is_spoilt_by_one(&self, failure: &Failure) -> bool {
        let of_all = match failure {
            Failure::Database(error) => error::of_shared(error).is_transient(),
            Failure::Verb(_) => false,
        };
        self.members.len() > 1 && !of_all
    }

    /// Each member as a group of its own.
    pub(crate) fn apart(self) -> impl Iterator<Item = Self> {
        let alone = |member| Self { joining: Joining::Closed, ..Self::of(member) };
        self.members.into_iter().map(alone)
    }

    /// Sends every answer.
    pub(crate) fn reply(self) {
        self.members.into_iter().for_each(Request::reply);
    }

    /// Sends the failure to every member.
    pub(crate) fn fail(self, failure: Failure) {
        match failure {
            Failure::Database(error) => {
                for member in self.members {
                    member.fail(error::of_shared(&error));
                }
            }
            Failure::Verb(error) => {
                let mut members = self.members.into_iter();
                if let Some(first) = members.next() {
                    first.fail(error);
                }
                members.for_each(|member| member.fail(error::closed()));
            }
        }
    }
}
