//! The stable error codes. Each has a page in `docs/errors`.

use std::borrow::Cow;
use std::fmt;

/// A stable error code: one of the constants here, or a provider's own code, kept as it came.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorCode(Cow<'static, str>);

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        impl ErrorCode {
            $($(#[$doc])* pub const $name: Self = Self::from_static($text);)*

            /// Every code that Koinon itself gives.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

codes! {
    /// Likely to pass by itself.
    TRANSIENT = "transient";
    /// The provider refused, by its own rules.
    PROVIDER = "provider";
    /// The provider refused the credential.
    PROVIDER_AUTH = "provider_auth";
    /// The provider's own quota is used up.
    QUOTA_EXHAUSTED = "quota_exhausted";
    /// The job's budget does not allow the next call.
    BUDGET_EXHAUSTED = "budget_exhausted";
    /// The model has no price, and the job has a cost limit.
    PRICE_UNKNOWN = "price_unknown";
    /// A rule forbids the work.
    POLICY_BLOCK = "policy_block";
    /// The provider's answers are of no use.
    INVALID_OUTPUT = "invalid_output";
    /// The work can never succeed as it was asked for.
    PERMANENT = "permanent";
    /// The job's authority no longer holds.
    AUTHORITY_LOST = "authority_lost";
    /// The job's authority cannot be proven.
    UNRESOLVED_AUTHORITY = "unresolved_authority";
    /// Another worker has the job.
    LEASE_LOST = "lease_lost";
    /// The workers that ran the job were lost too often.
    WORKER_LOST = "worker_lost";
    /// The worker drained.
    INTERRUPTED = "interrupted";
    /// No workload of this program runs the job's kind.
    UNKNOWN_KIND = "unknown_kind";
    /// The job's input does not fit its workload.
    INVALID_INPUT = "invalid_input";
    /// A stage's stored result belongs to another input, and its policy says fail.
    INPUT_MISMATCH = "input_mismatch";
    /// A call's outcome is unknown, and the job's policy says pause.
    CALL_IN_DOUBT = "call_in_doubt";
    /// None of the sources can be used.
    NO_USABLE_INPUT = "no_usable_input";
    /// There are more files than `max_files`.
    TOO_MANY_FILES = "too_many_files";
    /// The declared licence is on the blocked list.
    LICENCE_BLOCKED = "licence_blocked";
    /// An artifact is not where it should be.
    ARTIFACT_MISSING = "artifact_missing";
    /// An artifact's bytes are not what its digest says.
    ARTIFACT_DAMAGED = "artifact_damaged";
    /// There is no space left to write.
    DISK_FULL = "disk_full";
    /// The store cannot be reached.
    STORE_UNAVAILABLE = "store_unavailable";
    /// A stored row cannot be read.
    STORE_CORRUPT = "store_corrupt";
    /// The database's schema is not the one that this program knows.
    SCHEMA_MISMATCH = "schema_mismatch";
    /// The command or request is wrong in itself.
    USAGE = "usage";
    /// The configuration has a key that does not exist.
    CONFIG_UNKNOWN_KEY = "config_unknown_key";
    /// A configured value is outside of its range.
    CONFIG_OUT_OF_RANGE = "config_out_of_range";
    /// The environment gives the process another role than the program has.
    ROLE_MISMATCH = "role_mismatch";
    /// The database has too few connections for the work that is let in.
    POOL_TOO_SMALL = "pool_too_small";
    /// There is no such job, hold or other thing.
    NOT_FOUND = "not_found";
    /// The job's state does not allow what was asked.
    ILLEGAL_TRANSITION = "illegal_transition";
    /// The job is still finishing what was under way.
    STILL_PAUSING = "still_pausing";
    /// The hold is not in doubt.
    HOLD_NOT_IN_DOUBT = "hold_not_in_doubt";
    /// The output folder cannot be written.
    OUTPUT_NOT_WRITABLE = "output_not_writable";
    /// The input file or folder does not exist.
    SOURCE_MISSING = "source_missing";
    /// A cron expression cannot be read, or never comes.
    INVALID_CRON = "invalid_cron";
    /// There is no time zone of that name.
    UNKNOWN_TIME_ZONE = "unknown_time_zone";
    /// The interval of a schedule is too short or too long.
    INVALID_INTERVAL = "invalid_interval";
    /// There is a schedule of that name already.
    SCHEDULE_EXISTS = "schedule_exists";
}

impl ErrorCode {
    /// The most bytes that a code has.
    pub const MAX_BYTES: usize = 100;

    const fn from_static(code: &'static str) -> Self {
        Self(Cow::Borrowed(code))
    }

    /// A code as a provider or a stored row gave it, cleaned and bounded; `provider` if nothing is
    /// left of it.
    #[must_use]
    pub fn foreign(text: &str) -> Self {
        let cleaned = crate::text::clean(text.trim(), Self::MAX_BYTES);
        if cleaned.is_empty() { Self::PROVIDER } else { Self(Cow::Owned(cleaned)) }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
