//! The requests that share one transaction.

use std::collections::HashSet;
use std::time::Duration;

use super::Request;
use super::request::{CommitCall, SubmitCall};
use crate::error::{self, Failure};
use crate::tx::Tx;
use crate::write;

const MEMBERS_MAX: usize = 100;
/// Most groups have no more.
const MEMBERS_USUAL: usize = 32;
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
        let mut members = Vec::with_capacity(MEMBERS_USUAL);
        members.push(first);
        Self { members, ran: 0, bytes, joining: Joining::Open }
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

    /// Runs the members that have not run. Commits of different jobs that stand together are read and
    /// decided together, and so are submissions.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        loop {
            let rest = self.members.get_mut(self.ran..).unwrap_or_default();
            self.ran += match leading(rest) {
                Leading::Commits(mut calls) => {
                    write::commit(tx, &mut calls)?;
                    calls.len()
                }
                Leading::Submits(mut calls) => {
                    write::submit(tx, &mut calls)?;
                    calls.len()
                }
                Leading::Other(member) => {
                    member.run(tx)?;
                    1
                }
                Leading::None => return Ok(()),
            };
        }
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

/// The members in front of a list that are run together.
enum Leading<'g> {
    Commits(Vec<&'g mut CommitCall>),
    Submits(Vec<&'g mut SubmitCall>),
    Other(&'g mut Request),
    None,
}

fn leading(members: &mut [Request]) -> Leading<'_> {
    match members {
        [] => Leading::None,
        [Request::Commit(_), ..] => {
            let mut jobs = HashSet::new();
            let calls = members.iter_mut().map_while(|member| match member {
                Request::Commit(call) if jobs.insert(call.request().job) => Some(call),
                _ => None,
            });
            Leading::Commits(calls.collect())
        }
        [Request::Submit(_), ..] => {
            let calls = members.iter_mut().map_while(|member| match member {
                Request::Submit(call) => Some(call),
                _ => None,
            });
            Leading::Submits(calls.collect())
        }
        [other, ..] => Leading::Other(other),
    }
}
