//! Beside an item that has failed no other one starts, whatever it failed with.

use koinon_kit::{answered, in_doubt, job, refused, unusable};
use koinon_provider::{Failure, Outcome};
use koinon_retry::Class;

use crate::bench::{Asks, Bench};

/// An answer that the provider keeps back, and charges.
fn blocked() -> Outcome {
    let failure = Failure::new(Class::PolicyBlock, "content_filter", "the answer was blocked");
    Outcome::Unusable { failure, usage: None }
}

/// What the requests of a job were for whose first item fails with this while the second one is answered.
async fn items_asked_for(first: Outcome) -> Vec<String> {
    let bench = Bench::new(Asks::new(3, 2));
    bench.provider.script_for("item 0.", [first]);
    bench.provider.close_gate();
    let job = bench.submit(job().max_attempts(3)).await;
    let (_status, ()) = tokio::join!(bench.drive(job), async {
        bench.provider.arrived(2).await;
        bench.provider.open_gate();
    });
    let asked = bench.provider.received().into_iter();
    asked.map(|call| call.request.messages[0].content[..7].to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn no_item_starts_beside_one_that_has_failed() {
    for first in [blocked(), refused(Class::QuotaExhausted, None)] {
        let said = format!("{first:?}");
        assert_eq!(items_asked_for(first).await, ["item 0.", "item 1."], "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_item_starts_beside_one_that_is_asked_for_again() {
    for first in [unusable(), answered("rubbish"), in_doubt(), refused(Class::Transient, None)] {
        let said = format!("{first:?}");
        let asked = items_asked_for(first).await;
        // The third request is of the second claim.
        assert_eq!(asked, ["item 0.", "item 1.", "item 0.", "item 2."], "{said}");
    }
}
