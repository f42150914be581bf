//! Reserving: the worst case of a call is held before anything is sent.

use koinon_budget::{Amounts, Exceeded};
use koinon_domain::HoldId;
use koinon_provider::Request;
use koinon_store::{CallRef, NewHold, Priced, Refusal};

use super::{Opened, Quote};
use crate::committer::{NotWritten, Part};
use crate::context::Running;
use crate::{Halt, JobError};

impl Running {
    /// Opens the hold of a call. Where only the holds of other calls under way stand in the way, it waits
    /// for one of them to end. Ends at the latest when none is open any more, or when the job has to stop.
    pub(super) async fn open(
        &self,
        call: CallRef,
        items_started: u32,
        request: &Request,
    ) -> Result<Opened, JobError> {
        let quote = self.quote(request);
        if quote.price.is_none() && self.spec_has_cost_limit().await? {
            let refusal = Refusal::PriceUnknown {
                provider: request.provider.clone(),
                model: request.model.clone(),
            };
            return Err(NotWritten::Refused(refusal).into());
        }
        let held = worst_case(request, &quote);
        let priced = Priced {
            provider: request.provider.clone(),
            model: request.model.clone(),
            profile: quote.profile.clone(),
        };
        loop {
            self.held.check()?;
            // Listen before asking, so that a hold that ends in between is not missed.
            let ended = self.holds.ended.notified();
            let id = HoldId::from_uuid(self.services.clock.uuid());
            let hold = NewHold { id, call: call.clone(), priced: priced.clone(), held };
            let part = Part { items_started, hold: Some(hold), ..Part::default() };
            match self.committer.write(part).await {
                Ok(()) => {
                    self.holds.opened();
                    return Ok(Opened { hold: id, call, price: quote.price });
                }
                Err(NotWritten::Refused(Refusal::BudgetExceeded(exceeded)))
                    if self.holds.count() > 0 && fits_later(exceeded) =>
                {
                    tokio::select! {
                        () = ended => {}
                        halt = self.held.until_halted() => return Err(halt.into()),
                    }
                }
                Err(NotWritten::Refused(Refusal::BudgetExceeded(exceeded))) => {
                    self.held.stop(Halt::Budget(exceeded));
                    return Err(Halt::Budget(exceeded).into());
                }
                Err(why) => return Err(why.into()),
            }
        }
    }

    /// The price at dispatch; the same serves the settlement.
    fn quote(&self, request: &Request) -> Quote {
        let now = self.services.clock.now();
        match self.services.profiles.price(&request.provider, &request.model, now) {
            Some((profile, price)) => Quote { price: Some(price), profile: Some(profile.clone()) },
            None => Quote { price: None, profile: None },
        }
    }

    /// Limits can be changed while the job runs, so the present ones are read.
    async fn spec_has_cost_limit(&self) -> Result<bool, JobError> {
        let status = self.services.jobs.job(&self.spec.tenant, self.spec.id).await?;
        Ok(status.is_some_and(|status| status.run.limits.cost.is_some()))
    }
}

/// Every byte counts as a token, at the dearest input rate, and all the output that was allowed.
fn worst_case(request: &Request, quote: &Quote) -> Amounts {
    let usage = koinon_budget::Usage {
        input_tokens: request.input_bytes(),
        cached_input_tokens: 0,
        output_tokens: request.max_output_tokens.into(),
    };
    let cost = quote.price.map_or_else(Default::default, |price| {
        price.worst_case(usage.input_tokens, usage.output_tokens)
    });
    Amounts::of_call(cost, usage)
}

/// Whether it would fit if the calls under way cost nothing.
const fn fits_later(exceeded: Exceeded) -> bool {
    exceeded.spent.saturating_add(exceeded.asked) <= exceeded.limit
}
