//! The arithmetic of the budget, apart from the ledger.

use soroban_sdk::contracttype;

use crate::error::Error;

/// What was spent since the window began. Time is the ledger's, in seconds.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub start: u64,
    pub spent: i128,
}

impl Window {
    pub fn beginning(now: u64) -> Self {
        Self {
            start: now,
            spent: 0,
        }
    }

    /// The window that counts now: this one, or a new one if its time is over.
    pub fn at(self, now: u64, length: u64) -> Self {
        if now.saturating_sub(self.start) >= length {
            Self::beginning(now)
        } else {
            self
        }
    }

    /// Counts an amount, and refuses what is none or does not fit.
    pub fn charge(&mut self, amount: i128, limit: i128) -> Result<(), Error> {
        if amount <= 0 {
            return Err(Error::NotAllowed);
        }
        let spent = self.spent.checked_add(amount).ok_or(Error::NotAllowed)?;
        if spent > limit {
            return Err(Error::NotAllowed);
        }
        self.spent = spent;
        Ok(())
    }

    /// Gives back what was charged for `ceiling` and not used. It is never more than was spent in this window.
    pub fn give_back(&mut self, ceiling: i128, actual: i128) -> Result<(), Error> {
        if actual < 0 || actual > ceiling {
            return Err(Error::BadRelease);
        }
        let unused = ceiling - actual;
        self.spent = (self.spent - unused).max(0);
        Ok(())
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
        fn a_window_lasts_its_length(start: u64, spent in 0i128.., ahead: u64, length in 1u64..) {
            let window = Window { start, spent };
            let now = start.saturating_add(ahead);
            let same = now - start < length;
            let expected = if same { window.clone() } else { Window::beginning(now) };
            prop_assert_eq!(window.at(now, length), expected);
        }

        #[test]
        fn whatever_happens_nothing_is_spent_below_zero_or_above_the_limit(
            limit in limit(),
            length in 1u64..40,
            steps in prop::collection::vec(step(), 1..40),
        ) {
            let mut now = 0u64;
            let mut window = Window::beginning(now);
            // Ceilings that are reserved and not released, with the window in which they were.
            let mut reserved: std::vec::Vec<(i128, u64)> = std::vec::Vec::new();
            for step in steps {
                window = window.at(now, length);
                let before = window.clone();
                match step {
                    Step::Charge(amount) => {
                        let fits = amount > 0 && amount <= limit - before.spent;
                        prop_assert_eq!(window.charge(amount, limit).is_ok(), fits);
                        let spent = if fits { before.spent + amount } else { before.spent };
                        prop_assert_eq!(window.spent, spent);
                        if fits {
                            reserved.push((amount, window.start));
                        }
                    }
                    Step::GiveBack(actual) => {
                        let Some((ceiling, start)) = reserved.pop() else { continue };
                        let known = (0..=ceiling).contains(&actual);
                        if start != window.start {
                            continue;
                        }
                        prop_assert_eq!(window.give_back(ceiling, actual).is_ok(), known);
                        let back = if known { ceiling - actual } else { 0 };
                        prop_assert_eq!(window.spent, before.spent - back);
                    }
                    Step::Pass(seconds) => now = now.saturating_add(seconds),
                }
                prop_assert!((0..=limit).contains(&window.spent));
            }
            // Never stuck: when the time is over, the whole limit can be spent again.
            if let Some(later) = window.start.checked_add(length) {
                let mut next = window.at(later.max(now), length);
                if later >= now {
                    prop_assert!(next.charge(limit, limit).is_ok());
                }
            }
        }
    }
}
