//! What the checker is given.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::tables::{Entry, Record, Records};
use crate::server::Logged;

/// A request that the provider got.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// The job that it says it is for, as 32 hexadecimal digits.
    pub(super) job: String,
    /// Its idempotency key.
    pub(super) key: String,
    /// When it had been read, in microseconds since 1970.
    pub(super) at: i64,
}

/// What the tables, the provider and the artifact store say.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// The jobs whose submission was answered.
    pub(super) submitted: BTreeSet<String>,
    /// The tables.
    pub(super) records: Records,
    /// The log of the provider, in the order of arrival.
    pub(super) requests: Vec<Request>,
    /// The digests of the artifacts that are complete.
    pub(super) blobs: BTreeSet<String>,
}

impl Evidence {
    /// Reads the artifacts that the tables name.
    pub(super) fn gather(
        submitted: BTreeSet<String>,
        records: Records,
        log: &[Logged],
        artifacts: &Path,
    ) -> Self {
        let named: BTreeSet<&str> = records.values().flat_map(Record::digests).collect();
        let is_sound = |digest: &&str| {
            let (shard, rest) = digest.split_at(2);
            let bytes = std::fs::read(artifacts.join("sha256").join(shard).join(rest));
            bytes.is_ok_and(|bytes| hex::encode(Sha256::digest(bytes)) == *digest)
        };
        let blobs = named.into_iter().filter(is_sound).map(str::to_owned).collect();
        Self { submitted, records, requests: log.iter().map(Request::of).collect(), blobs }
    }

    /// The requests by idempotency key.
    pub(super) fn requests_by_key(&self) -> BTreeMap<&str, Vec<&Request>> {
        let mut by_key: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for request in &self.requests {
            by_key.entry(request.key.as_str()).or_default().push(request);
        }
        by_key
    }
}

impl Request {
    /// The passage begins with the id of the job.
    fn of(logged: &Logged) -> Self {
        let asked = &logged.asked;
        let job = asked.passage.split(' ').next().unwrap_or_default().replace('-', "");
        Self { job, key: asked.key.clone(), at: asked.at_us }
    }
}

impl Record {
    /// The digests of the artifacts that its rows name.
    pub(super) fn digests(&self) -> impl Iterator<Item = &str> {
        let answers = self.ledger.iter().filter_map(|entry| entry.answer_digest.as_deref());
        let results = self.checkpoints.iter().filter_map(|one| one.result_digest.as_deref());
        let outputs = self.outcomes.iter().filter_map(|outcome| outcome.manifest.as_ref());
        let outputs = outputs.flatten().map(|artifact| artifact.digest.as_str());
        answers.chain(results).chain(outputs)
    }
}

impl Entry {
    /// The idempotency key of the requests of its call: the digest of the job, the call, the sample and the
    /// number of answers that were rejected before, each behind its length.
    pub(super) fn key(&self) -> String {
        let mut hasher = Sha256::new();
        let job = hex::decode(&self.job_id).unwrap();
        let call = hex::decode(&self.call).unwrap();
        let number = |number: i64| u32::try_from(number).unwrap().to_be_bytes().to_vec();
        for field in [job, call, number(self.sample), number(self.retry)] {
            hasher.update((field.len() as u64).to_be_bytes());
            hasher.update(field);
        }
        hex::encode(hasher.finalize())
    }
}
