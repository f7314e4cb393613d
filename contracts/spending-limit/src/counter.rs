//! The limits and what counts against them: the budget's arithmetic, independent of the ledger.

use soroban_sdk::{Bytes, Env};

use crate::{
    error::Error,
    numbers::{number, put},
};

/// The number of parts in the length of a sliding window. The current part counts in addition.
pub const PARTS: usize = 12;
const MOST_SLOTS: usize = PARTS + 1;

// The offset of each number.
const LIMIT: usize = 0;
const PER_PAYMENT: usize = 16;
const WINDOW: usize = 32;
const PAYMENTS: usize = 40;
const REVISION: usize = 44;
const SLIDING: usize = 48;
const START: usize = 52;
const PART: usize = 60;
/// The width of a part: the amount spent, and the number of payments.
const PART_WIDTH: usize = 20;
const COUNT: usize = 16;
const MOST_BYTES: usize = PART + MOST_SLOTS * PART_WIDTH;

/// The numeric limits. A limit that is present is never zero, so zero means absent in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// In atomic units of the token.
    pub limit: i128,
    /// In seconds.
    pub window: u64,
    /// The maximum of one payment, in atomic units. `None` allows what is left. Under `upto`, the ceiling counts.
    pub per_payment: Option<i128>,
    /// The maximum number of payments in a window. `None` allows any number.
    pub payments: Option<u32>,
    /// Whether the window slides instead of starting with its first payment.
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

/// The limits, and what counts against them now. Time is the ledger's, in seconds.
///
/// A fixed window has one part, which starts with its first payment. A sliding window is a row of parts, the newest
/// first; when a part leaves, so does what was spent in it. All of it is stored in bytes, whose number is the same from
/// the first payment to the last, so that no payment pays for more storage and every payment pays for few bytes: the
/// limits, the start of the window, then for each part the amount spent and the number of payments.
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

    /// Returns how often the limits have changed.
    pub fn revision(&self) -> u32 {
        self.u32_at(REVISION)
    }

    /// Replaces all limits. What was spent stays spent: if the length or kind of the window changes, it counts as if it
    /// had been spent now.
    pub fn change(&mut self, limits: &Limits, now: u64) {
        let goes_on = limits.window == self.window() && limits.sliding == self.slides();
        let (spent, payments) = self.counted();
        // Cannot overflow in practice, because each change costs a fee.
        self.put(REVISION, (self.revision() + 1).to_le_bytes());
        self.limit(limits);
        if !goes_on {
            self.begin(now);
            self.set(0, spent, payments);
        }
    }

    /// Returns when a fixed window started, or the number of the newest part of a sliding window.
    pub fn start(&self) -> u64 {
        self.u64_at(START)
    }

    /// Drops what no longer counts.
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

    /// Returns the amount spent, and the number of payments.
    pub fn counted(&self) -> (i128, u32) {
        let mut counted = (0, 0);
        for slot in 0..self.slots() {
            let (spent, payments) = self.part(slot);
            counted = (counted.0 + spent, counted.1 + payments);
        }
        counted
    }

    /// Returns how many payments are left, or `None` if their number is not limited.
    pub fn payments_left(&self) -> Option<u32> {
        let most = self.most_payments();
        (most != 0).then(|| most.saturating_sub(self.counted().1))
    }

    /// Returns when more will be left than now, if nothing is paid until then. `None` while nothing counts.
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

    /// Charges a payment. Refuses an amount that is not positive or does not fit.
    pub fn charge(&mut self, amount: i128) -> Result<(), Error> {
        let once = self.per_payment();
        if once != 0 && amount > once {
            return Err(Error::OverOnePayment);
        }
        let limit = self.most();
        let (spent, payments) = self.counted();
        // The amount spent can exceed the limit if the limit was lowered.
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

    /// Gives back the unused part of `ceiling`, which was charged in the newest part of the window, but never more than
    /// was spent there. The payment still counts as one.
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

    /// Starts a window in which nothing counts.
    fn begin(&mut self, now: u64) {
        self.bytes[PART..].fill(0);
        let start = self.starts(now);
        self.put(START, start.to_le_bytes());
    }

    /// Returns the oldest part in which something counts. If payments are limited, one of nothing counts too.
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

    /// Returns the seconds of a part, rounded up. A payment counts until twelve parts have started after its own.
    fn width(&self) -> u64 {
        self.window().div_ceil(PARTS as u64)
    }

    /// Returns the start of a window that starts now.
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

    /// Any amount, often a boundary value.
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

    /// Something that can happen to a budget.
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
        fn the_amount_spent_stays_between_zero_and_the_limit(
            limit in limit(),
            most in most(),
            length in 1u64..40,
            sliding: bool,
            steps in prop::collection::vec(step(), 1..40),
        ) {
            let mut now = 0u64;
            let mut counter = Counter::new(&limits(limit, length, sliding, most), now);
            // Ceilings that are reserved and not released, each with the start of its window or part.
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
            // Never stuck: once the time has passed, the whole limit can be spent again.
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
        fn it_returns_when_more_will_be_left(
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
        fn a_change_of_limits_keeps_what_was_spent(
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
            // It does not come back early either: it counts for a whole new window, unless the old window continues.
            if (from.0, from.1) != (to.0, to.1) && spent > 0 {
                counter.advance(now + to.0 - 1);
                prop_assert_eq!(counter.counted().0, spent);
            }
        }
    }
}
