//! How a command names a job: by its id, or by the beginning of it.

use std::fmt;
use std::str::FromStr;

use koinon::Koinon;
use koinon::domain::{JobId, TenantId};
use koinon::store::{JobFilter, JobStatus, JobStore, Listed};

use crate::fault::Fault;

/// So many characters name a job at the least.
const MIN_LEN: usize = 8;
const PAGE: u32 = 500;

/// A job as the command line names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobRef {
    /// By its whole id.
    Id(JobId),
    /// By the beginning of its id, in lower case.
    Prefix(String),
}

/// The text cannot be the id of a job, nor its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidJobRef;

impl fmt::Display for InvalidJobRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a job is named by its id, a UUID, or by at least {MIN_LEN} characters of its beginning"
        )
    }
}

impl std::error::Error for InvalidJobRef {}

impl FromStr for JobRef {
    type Err = InvalidJobRef;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        let is_hex = text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        // The longest beginning is an id with its hyphens that lacks one character.
        if is_hex && (MIN_LEN..36).contains(&text.len()) {
            Ok(Self::Prefix(text.to_ascii_lowercase()))
        } else {
            Err(InvalidJobRef)
        }
    }
}

impl JobRef {
    /// The job that is meant.
    pub(crate) async fn find(&self, koinon: &Koinon) -> Result<JobStatus, Fault> {
        match self {
            Self::Id(id) => by_id(koinon, *id).await,
            Self::Prefix(prefix) => by_prefix(koinon, prefix).await,
        }
    }
}

impl JobRef {
    /// The id of the job that is meant, in whichever database it is; a whole id is not looked up.
    pub(crate) async fn find_anywhere(&self, koinon: &Koinon) -> Result<JobId, Fault> {
        let prefix = match self {
            Self::Id(id) => return Ok(*id),
            Self::Prefix(prefix) => prefix,
        };
        let mut found = None;
        for jobs in koinon.all_jobs().await? {
            found = beginning(&*jobs, koinon.tenant(), prefix, found).await?;
        }
        found.ok_or_else(|| nothing_begins(prefix))
    }
}

async fn by_id(koinon: &Koinon, id: JobId) -> Result<JobStatus, Fault> {
    let found = koinon.jobs().job(koinon.tenant(), id).await?;
    found.ok_or_else(|| Fault::not_found(format!("there is no job {id}")))
}

async fn by_prefix(koinon: &Koinon, prefix: &str) -> Result<JobStatus, Fault> {
    match beginning(&**koinon.jobs(), koinon.tenant(), prefix, None).await? {
        Some(id) => by_id(koinon, id).await,
        None => Err(nothing_begins(prefix)),
    }
}

fn nothing_begins(prefix: &str) -> Fault {
    Fault::not_found(format!("there is no job whose id begins with {prefix}"))
}

/// The only job whose id begins like this, beside one that was found elsewhere.
async fn beginning(
    jobs: &dyn JobStore,
    tenant: &TenantId,
    prefix: &str,
    mut found: Option<JobId>,
) -> Result<Option<JobId>, Fault> {
    let mut after = None;
    loop {
        let page = jobs.jobs(tenant, &JobFilter::default(), after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = Some(last.cursor());
        for id in page.iter().map(Listed::id) {
            if !id.to_string().starts_with(prefix) {
                continue;
            }
            if let Some(other) = found {
                let summary = format!("{prefix} is the beginning of {other} and of {id}");
                return Err(Fault::usage(summary).help("give more characters of the id"));
            }
            found = Some(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_named_by_its_id_or_by_enough_of_it() {
        let id = "0193c0de-0000-7000-8000-000000000001";
        assert_eq!(id.parse(), Ok(JobRef::Id(id.parse().unwrap())));
        assert_eq!("0193C0DE".parse(), Ok(JobRef::Prefix("0193c0de".to_owned())));
        for text in ["", "0193c0d", "../etc/passwd", "0193c0de-0000-7000-8000-00000000000g"] {
            assert_eq!(text.parse::<JobRef>(), Err(InvalidJobRef), "{text}");
        }
    }
}
