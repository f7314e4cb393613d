//! Any payments, settlements and jumps of the ledger, against a model of the policy.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use soroban_sdk::{testutils::Address as _, vec, Address};

use super::scene::{Scene, FUNDS, WINDOW};

const LIMIT: i128 = 1_000;
const SEQUENCES: u32 = 2_000;

#[derive(Clone, Debug)]
enum Step {
    Pay(i128),
    /// Ceiling and actual amount.
    Settle(i128, i128),
    /// The same to somebody who is not on the list, where there is one.
    PayOthers(i128),
    SettleOthers(i128),
    /// An authorization that is presented although it was settled.
    Replay,
    Pass(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let ceiling = prop_oneof![4 => 1i128..700, 1 => -2i128..3, 1 => 900i128..1_200];
    prop_oneof![
        4 => prop_oneof![4 => 1i128..600, 1 => -2i128..3, 1 => 990i128..1_010].prop_map(Step::Pay),
        4 => (ceiling, 0i128..120).prop_map(|(ceiling, part)| {
            Step::Settle(ceiling, ceiling * part / 100)
        }),
        1 => (1i128..400).prop_map(Step::PayOthers),
        1 => (1i128..400).prop_map(Step::SettleOthers),
        1 => Just(Step::Replay),
        3 => prop_oneof![
            3 => 0u64..WINDOW,
            1 => Just(WINDOW),
            1 => Just(WINDOW - 5),
            1 => WINDOW..3 * WINDOW,
        ].prop_map(|seconds| Step::Pass(seconds / 5 * 5)),
    ]
}

/// What should be true, kept beside the ledger.
struct Model {
    start: u64,
    spent: i128,
    paid: i128,
    /// Most of one payment.
    per_payment: Option<i128>,
}

impl Model {
    fn charge(&mut self, now: u64, amount: i128) -> bool {
        let (start, spent) = self.at(now);
        let most = self.per_payment.unwrap_or(LIMIT);
        if amount <= 0 || amount > most || amount > LIMIT - spent {
            return false;
        }
        (self.start, self.spent) = (start, spent + amount);
        true
    }

    /// A window that is empty, since nothing of a ceiling was used, has not begun.
    fn at(&self, now: u64) -> (u64, i128) {
        if self.spent == 0 || now - self.start >= WINDOW {
            (now, 0)
        } else {
            (self.start, self.spent)
        }
    }

    fn pay(&mut self, now: u64, amount: i128) -> bool {
        let pays = self.charge(now, amount);
        self.paid += if pays { amount } else { 0 };
        pays
    }

    fn settle(&mut self, now: u64, ceiling: i128, actual: i128) -> bool {
        if actual > ceiling || actual < 0 || !self.charge(now, ceiling) {
            return false;
        }
        self.spent -= ceiling - actual;
        self.paid += actual;
        true
    }
}

/// What the sequences together held, printed with the last one (`--nocapture`).
struct Run {
    sequences: AtomicUsize,
    steps: AtomicUsize,
    with_settlements: AtomicUsize,
}

static RUN: Run = Run {
    sequences: AtomicUsize::new(0),
    steps: AtomicUsize::new(0),
    with_settlements: AtomicUsize::new(0),
};

impl Run {
    fn record(&self, steps: usize, settled: bool) {
        let sequences = self.sequences.fetch_add(1, Ordering::Relaxed) + 1;
        let steps = self.steps.fetch_add(steps, Ordering::Relaxed) + steps;
        let settled = self
            .with_settlements
            .fetch_add(usize::from(settled), Ordering::Relaxed)
            + usize::from(settled);
        if sequences == SEQUENCES as usize {
            std::println!(
                "{sequences} sequences, {steps} steps, {settled} with a settlement under upto: model and ledger agree, never over the cap, never stuck"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: SEQUENCES, ..ProptestConfig::default() })]

    #[test]
    fn model_and_ledger_agree_and_the_cap_holds(
        steps in prop::collection::vec(step(), 1..14),
        per_payment in prop::option::of(1i128..=LIMIT),
        listed: bool,
    ) {
        let mut scene = Scene::new();
        let (seller, stranger) = (scene.to.clone(), Address::generate(&scene.env));
        let list = listed.then(|| vec![&scene.env, seller.clone()]);
        let policy = scene.narrow_limit(LIMIT, per_payment, list);
        scene.limit_by(&policy);
        let mut model = Model { start: 0, spent: 0, paid: 0, per_payment };
        let mut settled = None;
        for (at, step) in steps.iter().enumerate() {
            let now = scene.env.ledger().timestamp();
            let paid = model.paid;
            match *step {
                Step::Pay(amount) => {
                    prop_assert_eq!(scene.pay(amount).is_ok(), model.pay(now, amount));
                }
                Step::Settle(ceiling, actual) => {
                    let terms = scene.terms(ceiling, at as u8);
                    let settles = model.settle(now, ceiling, actual);
                    prop_assert_eq!(scene.settle(&terms, actual).is_ok(), settles);
                    if settles {
                        settled = Some(terms);
                    }
                }
                Step::PayOthers(amount) if listed => {
                    prop_assert!(scene.pay_to(&stranger, amount, &[&scene.agent]).is_err());
                }
                Step::SettleOthers(ceiling) if listed => {
                    let terms = scene.terms(ceiling, at as u8);
                    scene.to = stranger.clone();
                    prop_assert!(scene.settle(&terms, 0).is_err());
                    scene.to = seller.clone();
                }
                Step::PayOthers(_) | Step::SettleOthers(_) => {}
                Step::Replay => {
                    if let Some(terms) = &settled {
                        prop_assert!(scene.settle(terms, 0).is_err());
                    }
                }
                Step::Pass(seconds) => scene.pass(seconds),
            }
            let now = scene.env.ledger().timestamp();
            let (_, spent) = model.at(now);
            let budget = scene.budget(&policy);
            prop_assert_eq!(budget.spent, spent);
            prop_assert!((0..=LIMIT).contains(&budget.spent));
            prop_assert_eq!(scene.paid(), model.paid);
            prop_assert!(model.paid - paid <= LIMIT && model.paid <= FUNDS);
        }
        RUN.record(steps.len(), settled.is_some());
        // Never stuck: whatever happened, the next window has the whole budget.
        scene.pass(WINDOW);
        let most = per_payment.unwrap_or(LIMIT);
        prop_assert!(scene.settle(&scene.terms(most, 200), most).is_ok());
        let rest = LIMIT - most;
        prop_assert_eq!(scene.pay(rest).is_ok(), rest > 0 && rest <= most);
    }
}
