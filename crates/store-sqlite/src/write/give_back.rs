//! A claim whose job cannot be read.

use koinon_store::{Claimed, Run, decide};

use super::locked;
use super::save::save;
use crate::error::Failure;
use crate::tx::Tx;

/// A claim to be given back.
#[derive(Debug)]
pub(crate) struct GiveBack {
    pub(crate) claimed: Claimed,
    /// What cannot be read.
    pub(crate) why: String,
}

/// Gives the claim back and sets the job aside, unless it is somebody else's by now.
pub(crate) fn give_back(tx: &mut Tx<'_>, request: &GiveBack) -> Result<(), Failure> {
    let claimed = &request.claimed;
    let run = locked::standing(tx, claimed.job)?;
    let is_held = |run: &Run| run.generation == claimed.generation && run.state.is_held();
    let Some(run) = run.filter(is_held) else { return Ok(()) };
    let before = run.clone();
    let changes = decide::unreadable(run, &request.why, tx.now())?;
    save(tx, before, changes);
    Ok(())
}
