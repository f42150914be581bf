//! Why a workload does not go on.

use std::time::Duration;

use koinon_budget::Exceeded;
use koinon_domain::{ErrorCode, StageName};
use koinon_retry::Class;

/// What `?` carries out of a workload: either the job has to stop, or something failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The job has to stop now. This is no failure; hand it on.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Something failed; its class decides what becomes of the job.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// Why a job has to stop. Nobody but the engine makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Halt {
    /// The worker is draining.
    #[error("the worker is draining")]
    Interrupted,
    /// The provider that a call needs is not configured in this program; another may have it.
    #[error("the provider that a call needs is not configured here")]
    NoProvider,
    /// Somebody asked for a pause.
    #[error("a pause was asked for")]
    Pause,
    /// A limit does not allow to go on.
    #[error(transparent)]
    Budget(#[from] Exceeded),
    /// The outcome of a call is unknown, and the policy says to pause then.
    #[error("the outcome of a call is unknown")]
    CallInDoubt,
    /// Somebody asked for the end.
    #[error("the job was cancelled")]
    Cancel,
    /// The lease is lost, or can no longer be trusted.
    #[error("the lease is lost")]
    LeaseLost,
}

impl Halt {
    /// Of two reasons to stop, the one with the higher rank decides how the claim ends.
    pub(crate) const fn rank(self) -> u8 {
        match self {
            Self::Interrupted => 0,
            Self::NoProvider => 1,
            Self::Pause => 2,
            Self::CallInDoubt => 3,
            Self::Budget(_) => 4,
            Self::Cancel => 5,
            Self::LeaseLost => 6,
        }
    }
}

/// Something that failed, sorted into its class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Failure {
    class: Class,
    code: ErrorCode,
    message: String,
    wait: Option<Duration>,
    fatal: bool,
}

impl Failure {
    /// A failure of this class, under the class' own code. The message is shown to people and stored:
    /// no prompt, no answer, no key in it.
    #[must_use]
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        let code = ErrorCode::foreign(class.as_str());
        Self { class, code, message: message.into(), wait: None, fatal: false }
    }

    /// The work can never succeed as it was asked for.
    #[must_use]
    pub fn permanent(message: impl Into<String>) -> Self {
        Self::new(Class::Permanent, message)
    }

    pub(crate) fn stage_timeout(stage: &StageName, deadline: Duration) -> Self {
        let seconds = deadline.as_secs_f64();
        Self::new(Class::Transient, format!("stage {stage} took longer than {seconds} s"))
    }

    /// The same failure under a closer code.
    #[must_use]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.code = code;
        self
    }

    /// The same failure, not to be tried again before this time has passed.
    #[must_use]
    pub const fn retry_after(mut self, wait: Option<Duration>) -> Self {
        self.wait = wait;
        self
    }

    /// The same failure, never to be retried by itself.
    #[must_use]
    pub const fn fatal(mut self) -> Self {
        self.fatal = true;
        self
    }

    /// Its class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Its stable code.
    #[must_use]
    pub const fn code(&self) -> &ErrorCode {
        &self.code
    }

    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How long the provider asked to wait.
    #[must_use]
    pub const fn wait(&self) -> Option<Duration> {
        self.wait
    }

    /// Whether another try by itself may cure it.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        !self.fatal && self.class.is_retryable()
    }

    /// Of two failures of one stage, the one that decides: one that ends the job before one that can
    /// be retried; of those, the one that asks for the longer wait.
    pub(crate) fn worse(self, other: Self) -> Self {
        match (self.is_retryable(), other.is_retryable()) {
            (true, false) => other,
            (true, true) if other.wait > self.wait => other,
            _ => self,
        }
    }
}

impl JobError {
    /// Of two errors of one stage, the one that decides: a reason to stop before a failure.
    pub(crate) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Halt(one), Self::Halt(two)) => {
                Self::Halt(if two.rank() > one.rank() { two } else { one })
            }
            (Self::Failure(one), Self::Failure(two)) => Self::Failure(one.worse(two)),
            (halt @ Self::Halt(_), Self::Failure(failure))
            | (Self::Failure(failure), halt @ Self::Halt(_)) => {
                // A pause must not hide that the job can never succeed.
                if failure.is_retryable() || halt == Self::Halt(Halt::LeaseLost) {
                    halt
                } else {
                    Self::Failure(failure)
                }
            }
        }
    }
}

impl From<koinon_artifacts::Error> for JobError {
    fn from(error: koinon_artifacts::Error) -> Self {
        let class = if error.is_transient() { Class::Transient } else { Class::Permanent };
        let failure = Failure::new(class, error.to_string());
        failure.with_code(ErrorCode::foreign(error.code())).into()
    }
}

impl From<koinon_store::Error> for JobError {
    fn from(error: koinon_store::Error) -> Self {
        let class = if error.is_transient() { Class::Transient } else { Class::Permanent };
        Failure::new(class, error.to_string()).with_code(error.code()).into()
    }
}
