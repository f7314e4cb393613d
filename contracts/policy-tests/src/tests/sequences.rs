//! Random payments, settlements, changes of limits and jumps of the ledger, checked against a model of the policy.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use soroban_sdk::{testutils::Address as _, vec, Address};
use spending_limit::PARTS;

use super::scene::{Limits, Scene, FUNDS, WINDOW};

const LIMIT: i128 = 1_000;
const SEQUENCES: u32 = 2_000;

#[derive(Clone, Debug)]
enum Step {
    Pay(i128),
    /// Ceiling and actual amount.
    Settle(i128, i128),
    /// The same to a recipient that is not on the list, if there is a list.
    PayOthers(i128),
    SettleOthers(i128),
    /// Presents an authorization that was already settled.
    Replay,
    Pass(u64),
    /// The owner changes the limits.
    Change(Terms),
    /// The agent tries to change them.
    Raise,
}

/// Limits, independent of the ledger.
#[derive(Clone, Debug)]
struct Terms {
    limit: i128,
    window: u64,
    per_payment: Option<i128>,
    payments: Option<u32>,
    sliding: bool,
    listed: bool,
}

impl Terms {
    fn limits(&self, seller: &Address) -> Limits {
        Limits {
            limit: self.limit,
            window: self.window,
            per_payment: self.per_payment,
            recipients: self.listed.then(|| vec![seller.env(), seller.clone()]),
            payments: self.payments,
            sliding: self.sliding,
        }
    }

    /// Returns the number of seconds for which a payment may count.
    fn span(&self) -> u64 {
        if self.sliding {
            (PARTS as u64 + 1) * self.part()
        } else {
            self.window
        }
    }

    fn part(&self) -> u64 {
        self.window.div_ceil(PARTS as u64)
    }

    fn shape(&self) -> (u64, bool) {
        (self.window, self.sliding)
    }
}

fn terms() -> impl Strategy<Value = Terms> {
    (
        prop_oneof![3 => Just(LIMIT), 1 => 1i128..2 * LIMIT],
        prop_oneof![3 => Just(WINDOW), 1 => 1u64..2 * WINDOW],
        prop::option::of(1i128..=LIMIT),
        prop::option::of(1u32..6),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(limit, window, most, payments, sliding, listed)| Terms {
            limit,
            window,
            per_payment: most.map(|most| most.min(limit)),
            payments,
            sliding,
            listed,
        })
}

fn step() -> impl Strategy<Value = Step> {
    let ceiling = prop_oneof![4 => 1i128..700, 1 => -2i128..3, 1 => 900i128..1_200];
    prop_oneof![
        8 => prop_oneof![4 => 1i128..600, 1 => -2i128..3, 1 => 990i128..1_010].prop_map(Step::Pay),
        8 => (ceiling, 0i128..120).prop_map(|(ceiling, part)| {
            Step::Settle(ceiling, ceiling * part / 100)
        }),
        2 => (1i128..400).prop_map(Step::PayOthers),
        2 => (1i128..400).prop_map(Step::SettleOthers),
        2 => Just(Step::Replay),
        6 => prop_oneof![
            3 => 0u64..WINDOW,
            1 => Just(WINDOW),
            1 => Just(WINDOW - 5),
            1 => Just(WINDOW / PARTS as u64),
            1 => WINDOW..3 * WINDOW,
        ].prop_map(|seconds| Step::Pass(seconds / 5 * 5)),
        2 => terms().prop_map(Step::Change),
        1 => Just(Step::Raise),
    ]
}

/// A payment that counts.
struct Entry {
    at: u64,
    spent: i128,
    payments: u32,
}

/// The expected state, tracked independently of the ledger.
struct Model {
    terms: Terms,
    start: u64,
    entries: std::vec::Vec<Entry>,
    paid: i128,
    revision: u32,
    /// All payments since the limits last changed, with the amount that each moved or may move.
    since: std::vec::Vec<(u64, i128)>,
}

impl Model {
    fn of(terms: Terms) -> Self {
        Self {
            terms,
            start: 0,
            entries: std::vec::Vec::new(),
            paid: 0,
            revision: 0,
            since: std::vec::Vec::new(),
        }
    }

    /// Drops what no longer counts.
    fn at(&mut self, now: u64) {
        if self.terms.sliding {
            let part = self.terms.part();
            self.entries
                .retain(|entry| now / part - entry.at / part <= PARTS as u64);
        } else if self.is_empty() || now - self.start >= self.terms.window {
            self.entries.clear();
            self.start = now;
        }
    }

    /// Returns whether the window has not started: nothing was spent, and if payments are limited, none was made.
    fn is_empty(&self) -> bool {
        self.spent() == 0 && (self.terms.payments.is_none() || self.payments() == 0)
    }

    fn spent(&self) -> i128 {
        self.entries.iter().map(|entry| entry.spent).sum()
    }

    fn payments(&self) -> u32 {
        self.entries.iter().map(|entry| entry.payments).sum()
    }

    fn charge(&mut self, now: u64, amount: i128) -> bool {
        self.at(now);
        let Terms {
            limit,
            per_payment,
            payments,
            ..
        } = self.terms;
        let most = per_payment.unwrap_or(limit);
        let many = payments.is_some_and(|most| self.payments() >= most);
        if amount <= 0 || amount > most || amount > limit - self.spent() || many {
            return false;
        }
        self.entries.push(Entry {
            at: now,
            spent: amount,
            payments: 1,
        });
        self.since.push((now, amount));
        true
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
        let (entry, one) = (self.entries.last_mut(), self.since.last_mut());
        entry.expect("charged").spent = actual;
        one.expect("charged").1 = actual;
        self.paid += actual;
        true
    }

    fn change(&mut self, now: u64, terms: Terms) {
        self.at(now);
        if terms.shape() != self.terms.shape() {
            let all = Entry {
                at: now,
                spent: self.spent(),
                payments: self.payments(),
            };
            self.entries = std::vec![all];
            self.start = now;
        }
        self.terms = terms;
        self.revision += 1;
        self.since.clear();
        self.at(now);
    }

    /// Returns the amount and the number of payments in the last span of the window's length, since the limits changed.
    fn recently(&self, now: u64) -> (i128, u32) {
        let recent = self
            .since
            .iter()
            .filter(|(at, _)| now - at <= self.terms.window);
        recent.fold((0, 0), |(sum, count), (_, one)| (sum + one, count + 1))
    }
}

/// Totals of all sequences, printed with the last one (`--nocapture`).
struct Run {
    sequences: AtomicUsize,
    steps: AtomicUsize,
    with_settlements: AtomicUsize,
    changes: AtomicUsize,
}

static RUN: Run = Run {
    sequences: AtomicUsize::new(0),
    steps: AtomicUsize::new(0),
    with_settlements: AtomicUsize::new(0),
    changes: AtomicUsize::new(0),
};

fn add(counter: &AtomicUsize, count: usize) -> usize {
    counter.fetch_add(count, Ordering::Relaxed) + count
}

impl Run {
    fn record(&self, steps: usize, settled: bool, changes: u32) {
        let sequences = add(&self.sequences, 1);
        let steps = add(&self.steps, steps);
        let settled = add(&self.with_settlements, usize::from(settled));
        let changes = add(&self.changes, changes as usize);
        if sequences == SEQUENCES as usize {
            std::println!(
                "{sequences} sequences, {steps} steps, {settled} with a settlement under upto, {changes} changes of limits: model and ledger agree, never over the cap, never stuck"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: SEQUENCES, ..ProptestConfig::default() })]

    #[test]
    fn model_and_ledger_agree_and_the_cap_holds(
        steps in prop::collection::vec(step(), 1..14),
        terms in terms(),
    ) {
        let mut scene = Scene::new();
        let (seller, stranger) = (scene.to.clone(), Address::generate(&scene.env));
        let policy = scene.made_limit(terms.limits(&seller));
        scene.limit_by(&policy);
        let mut model = Model::of(terms);
        let mut settled = None;
        for (at, step) in steps.iter().enumerate() {
            let now = scene.env.ledger().timestamp();
            let listed = model.terms.listed;
            match step {
                Step::Pay(amount) => {
                    prop_assert_eq!(scene.pay(*amount).is_ok(), model.pay(now, *amount));
                }
                Step::Settle(ceiling, actual) => {
                    let terms = scene.terms(*ceiling, at as u8);
                    let settles = model.settle(now, *ceiling, *actual);
                    prop_assert_eq!(scene.settle(&terms, *actual).is_ok(), settles);
                    if settles {
                        settled = Some(terms);
                    }
                }
                Step::PayOthers(amount) if listed => {
                    prop_assert!(scene.pay_to(&stranger, *amount, &[&scene.agent]).is_err());
                }
                Step::SettleOthers(ceiling) if listed => {
                    let terms = scene.terms(*ceiling, at as u8);
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
                Step::Pass(seconds) => scene.pass(*seconds),
                Step::Change(terms) => {
                    let changed = scene.change(&policy, model.revision, terms.limits(&seller), &[&scene.owner]);
                    prop_assert_eq!(changed, Ok(()));
                    model.change(now, terms.clone());
                }
                Step::Raise => {
                    let more = Limits::of(i128::MAX);
                    prop_assert!(scene.change(&policy, model.revision, more, &[&scene.agent]).is_err());
                }
            }
            let now = scene.env.ledger().timestamp();
            model.at(now);
            let budget = scene.budget(&policy);
            let Terms { limit, payments, sliding, .. } = model.terms;
            prop_assert_eq!(budget.spent, model.spent());
            prop_assert_eq!(budget.remaining, (limit - model.spent()).max(0));
            prop_assert_eq!(budget.payments_left, payments.map(|most| most.saturating_sub(model.payments())));
            prop_assert_eq!(scene.paid(), model.paid);
            prop_assert!(model.paid <= FUNDS);
            if sliding {
                let (sum, count) = model.recently(now);
                prop_assert!(sum <= limit && payments.is_none_or(|most| count <= most));
            }
        }
        RUN.record(steps.len(), settled.is_some(), model.revision);
        // Never stuck: whatever happened, the whole budget is available when the window is over.
        scene.pass(model.terms.span().div_ceil(5) * 5);
        let Terms { limit, per_payment, payments, .. } = model.terms;
        let most = per_payment.unwrap_or(limit);
        prop_assert!(scene.settle(&scene.terms(most, 200), most).is_ok());
        let rest = limit - most;
        let fits = rest > 0 && rest <= most && payments != Some(1);
        prop_assert_eq!(scene.pay(rest).is_ok(), fits);
    }
}
