//! The model check: random verbs, answered alike by the model and by another store, with the invariants held after
//! each step. One after another, and several at once.

mod alone;
mod chooser;
mod given;
mod op;
mod order;
mod request;
mod together;
mod world;

use std::cell::Cell;
use std::fmt::Debug;

use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use tokio::runtime::Runtime;

use crate::Harness;

pub use order::Locking;

/// So many sequences keep a store on disk under the time of a test.
const CASES: u32 = 48;

/// The same of sequences of batches.
const TOGETHER_CASES: u32 = 16;

/// How long a failing sequence may be shortened, in milliseconds.
const SHORTEN_FOR: u32 = 60_000;

/// Runs random sequences of verbs on the model and on the stores that `harness` opens, and ends at the
/// first difference or broken invariant, with the shortest sequence that shows it.
///
/// The sequences are the same each time; `PROPTEST_RNG_SEED` chooses others, `PROPTEST_CASES` another number.
pub fn model_check<H: Harness>(harness: impl Fn() -> H) {
    let sequences = vec(op::op(8), 1..64);
    check(CASES, &sequences, |runtime, ops| runtime.block_on(alone::drive(&harness(), ops)));
}

/// Asks the stores that `harness` opens for several verbs at once, again and again. Some order of them, one after
/// another on the model, must give all the answers and all the rows; how the store locks says what else an answer may
/// be. A verb that fails as a [`FaultStore`](crate::FaultStore) was told to may have happened or not.
///
/// What is asked for is the same each time, as far as the answers are; a store that serves verbs in parallel may
/// answer otherwise. The seed and the number of cases are chosen as for [`model_check`].
pub fn model_check_together<H: Harness>(harness: impl Fn() -> H, locking: Locking) {
    let batches = vec(op::batch(), 1..24);
    check(TOGETHER_CASES, &batches, |runtime, batches| {
        runtime.block_on(together::drive(&harness(), locking, batches));
    });
}

fn check<S: Strategy<Value: Debug>>(cases: u32, sequences: &S, drive: impl Fn(&Runtime, S::Value)) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    let mut config = Config {
        failure_persistence: None,
        max_shrink_iters: 400,
        max_shrink_time: SHORTEN_FOR,
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_261_101);
    }
    let seed = config.rng_seed;
    let (begun, passed) = (Cell::new(0_u32), Cell::new(0_u32));
    let result = TestRunner::new(config).run(sequences, |sequence| {
        // What comes behind a case that failed is a shorter form of it.
        let is_case = begun.get() == passed.get();
        begun.update(|cases| cases + u32::from(is_case));
        drive(&runtime, sequence);
        passed.update(|cases| cases + u32::from(is_case));
        Ok(())
    });
    if let Err(error) = result {
        panic!("case {} of the seed {seed:?}: {error}", begun.get());
    }
}

/// Makes the tests that run the model check on the stores that the harness opens, one verb after another and several
/// at once, also while replies are lost.
#[macro_export]
macro_rules! model_check {
    ($harness:expr, $locking:expr) => {
        #[test]
        fn every_sequence_of_verbs_is_answered_as_the_model_does() {
            $crate::model_check(|| $harness);
        }

        #[test]
        fn verbs_that_come_at_once_are_answered_as_the_model_does_in_some_order() {
            $crate::model_check_together(|| $harness, $locking);
        }

        #[test]
        fn verbs_that_come_at_once_happen_or_not_where_replies_are_lost() {
            $crate::model_check_together(|| $crate::LosingReplies($harness), $locking);
        }
    };
}
