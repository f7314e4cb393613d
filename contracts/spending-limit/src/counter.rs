//! Limits and what counts against them: the arithmetic of the budget, apart from the ledger.

use soroban_sdk::{Bytes, Env};

use crate::{
    error::Error,
    numbers::{number, put},
};

/// A sliding window is so many parts long. The current part counts besides.
pub const PARTS: usize = 12;
const MOST_SLOTS: usize = PARTS + 1;

// Where each number is.
const LIMIT: usize = 0;
const PER_PAYMENT: usize = 16;
const WINDOW: usize = 32;
const PAYMENTS: usize = 40;
const REVISION: usize = 44;
const SLIDING: usize = 48;
const START: usize = 52;
const PART: usize = 60;
/// What was spent, and in how many payments.
const PART_WIDTH: usize = 20;
const COUNT: usize = 16;
const MOST_BYTES: usize = PART + MOST_SLOTS * PART_WIDTH;

/// The limits that are numbers. None of those that are absent is zero, so zero stands for them in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Atomic units of the token.
    pub limit: i128,
    /// Seconds.
    pub window: u64,
    /// Most of one payment, in atomic units; none: what is left. Under `upto` it is the ceiling that must fit.
    pub per_payment: Option<i128>,
    /// Most payments in a window; none: any number.
    pub payments: Option<u32>,
    /// Whether the window slides, instead of beginning with its first payment.
    pub sliding: bool,
}

impl Limits {
    pub fn check(&self) -> Result<(), Error> {
        let once = self.per_payment.unwrap_or(1);
        if self.limit <= 0
            || self.window == 0
            || self.payments == Some(0)
            || once <= 0
            || once > self.limit
        {
            return Err(Error::InvalidConfig);
        }
        Ok(())
    }
}

/// Limits, and what counts now. Time is the ledger's, in seconds.
///
/// A fixed window is one part, which begins with its first payment. A sliding one is a row of parts, the newest first;
/// what was spent in one of them leaves with it. All of it is bytes, of the same number from the first payment to the last,
/// so that none pays for room and all pay for few: the limits, where the window starts, then for each part what was spent
/// and in how many payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    bytes: [u8; MOST_BYTES],
}

impl Counter {
    pub fn new(limits: &Limits, now: u64) -> Self {
        let bytes = [0; MOST_BYTES];
        let mut counter = Self { bytes };
        counter.limit(limits);
        counter.begin(now);
        counter
    }

    pub fn read(stored: &Bytes) -> Self {
        let mut bytes = [0; MOST_BYTES];
        stored.copy_into_slice(&mut bytes[..stored.len() as usize]);
        Self { bytes }
    }

    pub fn written(&self, env: &Env) -> Bytes {
        Bytes::from_slice(env, &self.bytes[..PART + self.slots() * PART_WIDTH])
    }

    pub fn limits(&self) -> Limits {
        let most = self.per_payment();
        let payments = self.most_payments();
        Limits {
            limit: self.most(),
            window: self.window(),
            per_payment: (most != 0).then_some(most),
            payments: (payments != 0).then_some(payments),
            sliding: self.slides(),
        }
    }

    pub fn most(&self) -> i128 {
        self.i128_at(LIMIT)
    }

    /// How often the limits have changed.
    pub fn revision(&self) -> u32 {
        self.u32_at(REVISION)
    }

    /// Puts other limits in the place of all that there are. What was spent stays spent: if the window gets another length
    /// or kind, it counts as if it had been spent now.
    pub fn change(&mut self, limits: &Limits, now: u64) {
        let goes_on = limits.window == self.window() && limits.sliding == self.slides();
        let (spent, payments) = self.counted();
        // Nobody changes them so often that it ends: a fee is paid for each.
        self.put(REVISION, (self.revision() + 1).to_le_bytes());
        self.limit(limits);
        if !goes_on {
            self.begin(now);
            self.set(0, spent, payments);
        }
    }

    /// When a fixed window began, or the number of the newest part of a sliding one.
    pub fn start(&self) -> u64 {
        self.u64_at(START)
    }

    /// Leaves out what no longer counts.
    pub fn advance(&mut self, now: u64) {
        let start = self.starts(now);
        let gone = start.saturating_sub(self.start());
        if !self.slides() {
            if gone >= self.window() || self.oldest().is_none() {
                self.begin(now);
            }
        } else if gone > 0 {
            for slot in (0..MOST_SLOTS).rev() {
                let (spent, payments) = match (slot as u64).checked_sub(gone) {
                    Some(from) => self.part(from as usize),
                    None => (0, 0),
                };
                self.set(slot, spent, payments);
            }
            self.put(START, start.to_le_bytes());
        }
    }

    /// What is spent, and in how many payments.
    pub fn counted(&self) -> (i128, u32) {
        let mut counted = (0, 0);
        for slot in 0..self.slots() {
            let (spent, payments) = self.part(slot);
            counted = (counted.0 + spent, counted.1 + payments);
        }
        counted
    }

    /// None: any number.
    pub fn payments_left(&self) -> Option<u32> {
        let most = self.most_payments();
        (most != 0).then(|| most.saturating_sub(self.counted().1))
    }

    /// When more is left than now, if nothing is paid until then; none while nothing counts.
    pub fn more_at(&self) -> Option<u64> {
        let oldest = self.oldest()?;
        let (mut at, length, times) = if self.slides() {
            let width = self.width();
            (self.start() * width, width, MOST_SLOTS - oldest)
        } else {
            (self.start(), self.window(), 1)
        };
        for _ in 0..times {
            at = at.saturating_add(length);
        }
        Some(at)
    }

    /// Counts a payment, and refuses what is none or does not fit.
    pub fn charge(&mut self, amount: i128) -> Result<(), Error> {
        let once = self.per_payment();
        if once != 0 && amount > once {
            return Err(Error::OverOnePayment);
        }
        let limit = self.most();
        let (spent, payments) = self.counted();
        // More than the limit may be spent, if it was lowered.
        if amount <= 0 || spent > limit || amount > limit - spent {
            return Err(Error::NotAllowed);
        }
        let most = self.most_payments();
        if most != 0 && payments >= most {
            return Err(Error::TooManyPayments);
        }
        let (spent, payments) = self.part(0);
        self.set(0, spent + amount, payments + 1);
        Ok(())
    }

    /// Gives back what was charged for `ceiling` in the newest part and not used: never more than was spent in it. The
    /// payment still counts as one.
    pub fn give_back(&mut self, ceiling: i128, actual: i128) -> Result<(), Error> {
        if actual < 0 || actual > ceiling {
            return Err(Error::BadRelease);
        }
        let (spent, payments) = self.part(0);
        self.set(0, (spent - (ceiling - actual)).max(0), payments);
        Ok(())
    }

    fn limit(&mut self, limits: &Limits) {
        self.put(LIMIT, limits.limit.to_le_bytes());
        let most = limits.per_payment.unwrap_or(0);
        self.put(PER_PAYMENT, most.to_le_bytes());
        self.put(WINDOW, limits.window.to_le_bytes());
        let payments = limits.payments.unwrap_or(0);
        self.put(PAYMENTS, payments.to_le_bytes());
        self.put(SLIDING, u32::from(limits.sliding).to_le_bytes());
    }

    /// A window in which nothing counts.
    fn begin(&mut self, now: u64) {
        self.bytes[PART..].fill(0);
        let start = self.starts(now);
        self.put(START, start.to_le_bytes());
    }

    /// The oldest part in which something counts. A payment that moved nothing does where payments are limited.
    fn oldest(&self) -> Option<usize> {
        let limited = self.most_payments() != 0;
        (0..self.slots()).rev().find(|slot| {
            let (spent, payments) = self.part(*slot);
            spent != 0 || (limited && payments != 0)
        })
    }

    fn window(&self) -> u64 {
        self.u64_at(WINDOW)
    }

    fn per_payment(&self) -> i128 {
        self.i128_at(PER_PAYMENT)
    }

    fn most_payments(&self) -> u32 {
        self.u32_at(PAYMENTS)
    }

    fn slides(&self) -> bool {
        self.u32_at(SLIDING) != 0
    }

    fn slots(&self) -> usize {
        if self.slides() {
            MOST_SLOTS
        } else {
            1
        }
    }

    /// Seconds of a part, rounded up. A payment counts until twelve parts have begun after its own.
    fn width(&self) -> u64 {
        self.window().div_ceil(PARTS as u64)
    }

    /// Where a window starts that begins now.
    fn starts(&self, now: u64) -> u64 {
        if self.slides() {
            now / self.width()
        } else {
            now
        }
    }

    fn part(&self, slot: usize) -> (i128, u32) {
        let at = PART + slot * PART_WIDTH;
        (self.i128_at(at), self.u32_at(at + COUNT))
    }

    fn set(&mut self, slot: usize, spent: i128, payments: u32) {
        let at = PART + slot * PART_WIDTH;
        self.put(at, spent.to_le_bytes());
        self.put(at + COUNT, payments.to_le_bytes());
    }

    fn i128_at(&self, at: usize) -> i128 {
        i128::from_le_bytes(number(&self.bytes, at))
    }

    fn u64_at(&self, at: usize) -> u64 {
        u64::from_le_bytes(number(&self.bytes, at))
    }

    fn u32_at(&self, at: usize) -> u32 {
        u32::from_le_bytes(number(&self.bytes, at))
    }

    fn put<const N: usize>(&mut self, at: usize, number: [u8; N]) {
        put(&mut self.bytes, at, number);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Any amount, often one at which something changes.
    fn amount() -> impl Strategy<Value = i128> {
        prop_oneof![
            any::<i128>(),
            -2i128..50,
            Just(i128::MIN),
            Just(i128::MAX),
            Just(i128::MAX - 1),
            any::<i64>().prop_map(i128::from),
        ]
    }

    fn limit() -> impl Strategy<Value = i128> {
        prop_oneof![1i128..60, Just(i128::MAX), 1i128..i128::MAX]
    }

    fn most() -> impl Strategy<Value = Option<u32>> {
        prop::option::of(prop_oneof![1u32..6, Just(u32::MAX)])
    }

    fn limits(limit: i128, window: u64, sliding: bool, payments: Option<u32>) -> Limits {
        Limits {
            limit,
            window,
            per_payment: None,
            payments,
            sliding,
        }
    }

    /// What can happen to a budget.
    #[derive(Clone, Debug)]
    enum Step {
        Charge(i128),
        GiveBack(i128),
        Pass(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => amount().prop_map(Step::Charge),
            3 => amount().prop_map(Step::GiveBack),
            2 => (0u64..30).prop_map(Step::Pass),
            1 => any::<u64>().prop_map(Step::Pass),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn a_fixed_window_lasts_its_length(start: u64, spent in 1i128.., ahead: u64, length in 1u64..) {
            let limits = limits(i128::MAX, length, false, None);
            let mut counter = Counter::new(&limits, start);
            counter.set(0, spent, 1);
            let now = start.saturating_add(ahead);
            let same = now - start < length;
            let expected = if same { counter.clone() } else { Counter::new(&limits, now) };
            counter.advance(now);
            prop_assert_eq!(counter, expected);
        }

        #[test]
        fn whatever_happens_nothing_is_spent_below_zero_or_above_the_limit(
            limit in limit(),
            most in most(),
            length in 1u64..40,
            sliding: bool,
            steps in prop::collection::vec(step(), 1..40),
        ) {
            let mut now = 0u64;
            let mut counter = Counter::new(&limits(limit, length, sliding, most), now);
            // Ceilings that are reserved and not released, with the window or part in which they were.
            let mut reserved: std::vec::Vec<(i128, u64)> = std::vec::Vec::new();
            // What was paid, and when.
            let mut paid: std::vec::Vec<(u64, i128)> = std::vec::Vec::new();
            for step in steps {
                counter.advance(now);
                let (spent, left) = (counter.counted().0, counter.payments_left());
                match step {
                    Step::Charge(amount) => {
                        let fits = amount > 0 && amount <= limit - spent && left != Some(0);
                        prop_assert_eq!(counter.charge(amount).is_ok(), fits);
                        prop_assert_eq!(counter.counted().0, if fits { spent + amount } else { spent });
                        prop_assert_eq!(counter.payments_left(), left.map(|left| left - u32::from(fits)));
                        if fits {
                            reserved.push((amount, counter.start()));
                            paid.push((now, amount));
                        }
                    }
                    Step::GiveBack(actual) => {
                        let Some((ceiling, start)) = reserved.pop() else { continue };
                        let known = (0..=ceiling).contains(&actual);
                        if start != counter.start() {
                            continue;
                        }
                        prop_assert_eq!(counter.give_back(ceiling, actual).is_ok(), known);
                        let back = if known { ceiling - actual } else { 0 };
                        prop_assert_eq!(counter.counted().0, spent - back);
                    }
                    Step::Pass(seconds) => now = now.saturating_add(seconds),
                }
                prop_assert!((0..=limit).contains(&counter.counted().0));
            }
            // Never stuck: when the time is over, the whole limit can be spent again.
            let span = if sliding { MOST_SLOTS as u64 * counter.width() } else { length };
            if let Some(later) = now.checked_add(span) {
                counter.advance(later);
                prop_assert!(counter.charge(limit).is_ok());
            }
        }

        #[test]
        fn no_span_of_a_sliding_windows_length_has_more_than_the_limit(
            limit in 1i128..60,
            most in most(),
            length in 1u64..40,
            steps in prop::collection::vec((1i128..60, 0u64..30), 1..40),
        ) {
            let mut now = 0u64;
            let mut counter = Counter::new(&limits(limit, length, true, most), now);
            let mut paid: std::vec::Vec<(u64, i128)> = std::vec::Vec::new();
            for (amount, pause) in steps {
                counter.advance(now);
                if counter.charge(amount).is_ok() {
                    paid.push((now, amount));
                }
                let recent = paid.iter().filter(|(at, _)| now - at <= length);
                let (count, sum) = recent.fold((0u32, 0i128), |(count, sum), (_, one)| (count + 1, sum + one));
                prop_assert!(sum <= limit && most.is_none_or(|most| count <= most));
                now += pause;
            }
        }

        #[test]
        fn it_says_when_more_is_left(
            length in 1u64..1_000_000,
            sliding: bool,
            most in most(),
            payments in prop::collection::vec((1i128..50, 0u64..400_000), 1..8),
        ) {
            let mut now = 1_000_000u64;
            let mut counter = Counter::new(&limits(i128::MAX, length, sliding, most), now);
            for (amount, pause) in payments {
                counter.advance(now);
                let _ = counter.charge(amount);
                let more = counter.more_at().expect("something is spent");
                let spent = |at: u64| {
                    let mut counter = counter.clone();
                    counter.advance(at);
                    counter.counted().0
                };
                prop_assert!(more > now && more - now <= length.max(MOST_SLOTS as u64 * counter.width()));
                prop_assert_eq!(spent(more - 1), counter.counted().0);
                prop_assert!(spent(more) < counter.counted().0);
                now += pause;
            }
        }

        #[test]
        fn other_limits_keep_what_was_spent(
            from in (1u64..1_000, any::<bool>(), most()),
            to in (1u64..1_000, any::<bool>(), most()),
            amounts in prop::collection::vec(1i128..50, 1..6),
            pause in 0u64..50,
        ) {
            let mut now = 10_000u64;
            let mut counter = Counter::new(&limits(100, from.0, from.1, from.2), now);
            for amount in amounts {
                counter.advance(now);
                let _ = counter.charge(amount);
                now += pause;
            }
            counter.advance(now);
            let (spent, payments, revision) = (counter.counted().0, counter.counted().1, counter.revision());
            let next = limits(70, to.0, to.1, to.2);
            counter.change(&next, now);
            prop_assert_eq!((counter.counted().0, counter.counted().1), (spent, payments));
            prop_assert_eq!(counter.revision(), revision + 1);
            prop_assert_eq!(counter.limits(), next);
            // Nor does it come back early: a whole window of the new limits counts it, unless the old window goes on.
            if (from.0, from.1) != (to.0, to.1) && spent > 0 {
                counter.advance(now + to.0 - 1);
                prop_assert_eq!(counter.counted().0, spent);
            }
        }
    }
}
