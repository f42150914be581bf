//! The model check: random sequences of verbs, each answered alike by the model and by another store,
//! with the invariants held after each step.

mod driver;
mod given;
mod op;
mod request;

use proptest::collection::vec;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::Harness;

/// So many sequences keep a store on disk under the time of a test.
const CASES: u32 = 48;

/// Runs random sequences of verbs on the model and on the stores that `harness` opens, and ends at the
/// first difference or broken invariant, with the shortest sequence that shows it.
///
/// The sequences are the same each time; `PROPTEST_RNG_SEED` chooses others, `PROPTEST_CASES` another number.
pub fn model_check<H: Harness>(harness: impl Fn() -> H) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    let mut config =
        Config { failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_261_101);
    }
    let sequences = vec(op::op(), 1..64);
    let result = TestRunner::new(config).run(&sequences, |ops| {
        runtime.block_on(driver::drive(&harness(), ops));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Makes a test that runs the model check on the stores that the harness opens.
#[macro_export]
macro_rules! model_check {
    ($harness:expr) => {
        #[test]
        fn every_sequence_of_verbs_is_answered_as_the_model_does() {
            $crate::model_check(|| $harness);
        }
    };
}
