//! Random deposits, vouchers, claims, closings, refunds and jumps of the ledger in two channels of equal terms, checked
//! against a model, and against what must hold whatever anyone does.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    vec,
};

use proptest::prelude::*;
use soroban_sdk::{testutils::Address as _, Address};
use test_support::{pass_ledgers, Key};

use super::scene::{Outcome, Scene, FUNDS, WAIT};
use crate::Error;

const SEQUENCES: u32 = 2_000;

#[derive(Clone, Debug)]
enum Step {
    Deposit(i128),
    TopUp(i128),
    /// A stranger pays the channel.
    Gift(i128),
    Settle(i128),
    /// Another key's voucher, and one for the other channel.
    Forge(i128),
    Misplace(i128),
    Close(i128),
    /// Payer, recipient and a stranger try what is not theirs.
    Usurp(i128),
    CloseStart,
    CloseStartSigned,
    Refund,
    Pass(u32),
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let amount = || prop_oneof![8 => 0i128..1_200, 1 => -2i128..2, 1 => Just(i128::MAX)];
    let step = prop_oneof![
        4 => (1i128..600).prop_map(Step::Deposit),
        1 => (-1i128..400).prop_map(Step::TopUp),
        1 => (1i128..3).prop_map(Step::Gift),
        8 => amount().prop_map(Step::Settle),
        1 => amount().prop_map(Step::Forge),
        1 => amount().prop_map(Step::Misplace),
        1 => amount().prop_map(Step::Close),
        1 => amount().prop_map(Step::Usurp),
        1 => Just(Step::CloseStart),
        2 => Just(Step::CloseStartSigned),
        3 => Just(Step::Refund),
        4 => prop_oneof![
            1 => 0..WAIT,
            1 => Just(1),
            1 => Just(WAIT - 1),
            2 => Just(WAIT),
            1 => Just(10 * WAIT),
        ].prop_map(Step::Pass),
    ];
    (0usize..2, step)
}

/// The expected state of a channel, tracked independently of the ledger.
#[derive(Clone, Debug, Default)]
struct Model {
    balance: i128,
    withdrawn: i128,
    closes_at: Option<u32>,
    /// What came in, and what went back to the payer.
    paid_in: i128,
    refunded: i128,
    gifts: i128,
    /// The highest amount that the voucher key signed and anyone presented.
    signed: i128,
}

impl Model {
    fn pay_in(&mut self, amount: i128) {
        self.balance += amount;
        self.paid_in += amount;
    }

    fn settle(&mut self, amount: i128) -> Outcome {
        if amount < 0 {
            return Outcome::Refused(Error::NegativeAmount);
        }
        self.signed = self.signed.max(amount);
        let due = (amount - self.withdrawn).clamp(0, self.balance);
        self.balance -= due;
        self.withdrawn += due;
        Outcome::Done
    }

    fn give_back(&mut self) {
        self.refunded += self.balance;
        self.balance = 0;
    }

    fn close(&mut self, now: u32, amount: i128) -> Outcome {
        let settled = self.settle(amount);
        if settled == Outcome::Done {
            self.closes_at = Some(self.closes_at.map_or(now, |at| at.min(now)));
            self.give_back();
        }
        settled
    }

    fn start(&mut self, now: u32) -> Outcome {
        if self.closes_at.is_some() {
            return Outcome::Refused(Error::AlreadyClosing);
        }
        self.closes_at = Some(now + WAIT);
        Outcome::Done
    }

    fn refund(&mut self, now: u32) -> Outcome {
        match self.closes_at {
            None => Outcome::Refused(Error::NotClosing),
            Some(at) if now < at => Outcome::Refused(Error::TooEarly),
            Some(_) => {
                self.give_back();
                Outcome::Done
            }
        }
    }
}

/// Totals of all sequences, printed with the last one (`--nocapture`).
struct Run {
    sequences: AtomicUsize,
    steps: AtomicUsize,
    paid: AtomicUsize,
    refunded: AtomicUsize,
}

static RUN: Run = Run {
    sequences: AtomicUsize::new(0),
    steps: AtomicUsize::new(0),
    paid: AtomicUsize::new(0),
    refunded: AtomicUsize::new(0),
};

fn add(counter: &AtomicUsize, count: usize) -> usize {
    counter.fetch_add(count, Ordering::Relaxed) + count
}

impl Run {
    fn record(&self, steps: usize, models: &[Model; 2]) {
        let any = |of: fn(&Model) -> i128| usize::from(models.iter().any(|model| of(model) > 0));
        let sequences = add(&self.sequences, 1);
        let steps = add(&self.steps, steps);
        let paid = add(&self.paid, any(|model| model.withdrawn));
        let refunded = add(&self.refunded, any(|model| model.refunded));
        if sequences == SEQUENCES as usize {
            std::println!(
                "{sequences} sequences, {steps} steps, {paid} in which the recipient was paid, {refunded} with a refund: model and ledger agree"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: SEQUENCES, ..ProptestConfig::default() })]

    #[test]
    fn model_and_ledger_agree_and_nobody_loses(
        steps in prop::collection::vec(step(), 1..14),
    ) {
        let mut scene = Scene::empty();
        let channels = [scene.channel.clone(), scene.twin()];
        let stranger = Address::generate(&scene.env);
        let mut models = [Model::default(), Model::default()];
        for (which, step) in &steps {
            let now = scene.env.ledger().sequence();
            let (channel, other) = (&channels[*which], &channels[1 - *which]);
            let model = &mut models[*which];
            let before = model.clone();
            scene.channel = channel.clone();
            match step {
                Step::Deposit(amount) => {
                    prop_assert_eq!(scene.deposit(*amount), Outcome::Done);
                    model.pay_in(*amount);
                }
                Step::TopUp(amount) => {
                    let expected = if *amount < 0 {
                        Outcome::Refused(Error::NegativeAmount)
                    } else {
                        model.pay_in(*amount);
                        Outcome::Done
                    };
                    let topped = if *amount > 0 {
                        scene.top_up(*amount)
                    } else {
                        scene.call(channel, "top_up", (*amount,), &[])
                    };
                    prop_assert_eq!(topped, expected);
                }
                Step::Gift(amount) => {
                    scene.mint(channel, *amount);
                    model.pay_in(*amount);
                    model.gifts += *amount;
                }
                Step::Settle(amount) => {
                    prop_assert_eq!(scene.settle(*amount), model.settle(*amount));
                    // A claim pays all of the voucher that the deposit covers.
                    if *amount >= 0 {
                        let covered = (*amount).min(before.balance + before.withdrawn);
                        prop_assert!(model.withdrawn >= covered);
                    }
                }
                Step::Forge(amount) => {
                    let amount = (*amount).max(0);
                    let forged = scene.signed_by(&Key::of(9), channel, amount);
                    prop_assert_eq!(scene.call(channel, "settle", (amount, forged), &[]), Outcome::Failed);
                }
                Step::Misplace(amount) => {
                    let amount = (*amount).max(0);
                    let misplaced = scene.signed_by(&scene.key, other, amount);
                    prop_assert_eq!(scene.call(channel, "settle", (amount, misplaced), &[]), Outcome::Failed);
                }
                Step::Close(amount) => {
                    prop_assert_eq!(scene.close(*amount), model.close(now, *amount));
                }
                Step::Usurp(amount) => {
                    let voucher = scene.voucher(*amount);
                    let closed = scene.call_as(&scene.payer, channel, "close", (*amount, voucher), &[]);
                    prop_assert_eq!(closed, Outcome::Failed);
                    let started = scene.call_as(&scene.recipient, channel, "close_start", (), &[]);
                    prop_assert_eq!(started, Outcome::Failed);
                    let voucher = scene.voucher((*amount).max(0));
                    let started = scene.call(channel, "close_start_signed", (voucher,), &[]);
                    prop_assert_eq!(started, Outcome::Failed);
                    let taken = scene.call(&scene.token, "transfer", (channel, &stranger, 1i128), &[]);
                    prop_assert_eq!(taken, Outcome::Failed);
                }
                Step::CloseStart => prop_assert_eq!(scene.close_start(), model.start(now)),
                Step::CloseStartSigned => prop_assert_eq!(scene.close_start_signed(), model.start(now)),
                Step::Refund => prop_assert_eq!(scene.refund(), model.refund(now)),
                Step::Pass(ledgers) => pass_ledgers(&scene.env, *ledgers),
            }

            for (channel, model) in channels.iter().zip(&models) {
                scene.channel = channel.clone();
                prop_assert_eq!(scene.balance(channel), model.balance);
                prop_assert_eq!(scene.client().withdrawn(), model.withdrawn);
                // Nothing is created or lost, and the recipient has no more than was signed.
                prop_assert_eq!(model.balance + model.withdrawn + model.refunded, model.paid_in);
                prop_assert!(model.withdrawn <= model.signed);
                prop_assert!(model.withdrawn >= 0 && model.balance >= 0);
            }
            let sum = |of: fn(&Model) -> i128| models.iter().map(of).sum::<i128>();
            let payer = scene.balance(&scene.payer.address);
            prop_assert_eq!(scene.balance(&scene.recipient.address), sum(|model| model.withdrawn));
            let outside = sum(|model| model.balance + model.withdrawn - model.gifts);
            prop_assert_eq!(payer, FUNDS - outside);
        }
        RUN.record(steps.len(), &models);

        // Never stuck: whatever happened, a waiting period later the payer has lost at most what was signed.
        for (channel, model) in channels.iter().zip(&mut models) {
            scene.channel = channel.clone();
            let now = scene.env.ledger().sequence();
            if model.closes_at.is_none() {
                prop_assert_eq!(scene.close_start_signed(), model.start(now));
            }
        }
        pass_ledgers(&scene.env, WAIT);
        for (channel, model) in channels.iter().zip(&mut models) {
            scene.channel = channel.clone();
            let now = scene.env.ledger().sequence();
            prop_assert_eq!(scene.refund(), model.refund(now));
            prop_assert_eq!(scene.balance(channel), 0);
        }
        let signed = models.iter().map(|model| model.signed.min(2 * FUNDS)).sum::<i128>();
        prop_assert!(scene.balance(&scene.payer.address) >= FUNDS - signed);
    }
}
