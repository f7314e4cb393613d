//! The arithmetic, for all amounts and ledgers, and for any sequence of settlements.

use std::vec::Vec;

use proptest::prelude::*;
use soroban_sdk::{vec, BytesN};
use test_support::pass_ledgers;

use super::{
    accounts::{BudgetPolicy, BudgetPolicyClient, BudgetedAccount, BudgetedAccountClient},
    sale::{Outcome, Sale, Terms, FUNDS},
};
use crate::{
    terms::{check_amounts, record_lifetime},
    Error, LONGEST_AUTHORIZATION,
};

/// Any amount, often a boundary value.
fn amount() -> impl Strategy<Value = i128> {
    prop_oneof![
        any::<i128>(),
        -2i128..3,
        Just(i128::MIN),
        Just(i128::MAX),
        any::<i64>().prop_map(i128::from),
    ]
}

/// Any two ledgers, often close to each other or to the allowed distance between them.
fn expiration_and_now() -> impl Strategy<Value = (u32, u32)> {
    let near = (any::<u32>(), -20_000i64..20_000).prop_map(|(now, ahead)| {
        let expiration = (i64::from(now) + ahead).clamp(0, i64::from(u32::MAX));
        (expiration as u32, now)
    });
    prop_oneof![any::<(u32, u32)>(), near]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn amounts_settle_from_zero_to_the_ceiling(ceiling in amount(), actual in amount()) {
        let settles = ceiling > 0 && (0..=ceiling).contains(&actual);
        prop_assert_eq!(check_amounts(ceiling, actual).is_ok(), settles);
        if settles {
            // The rest of the allowance is a valid amount too.
            prop_assert!(ceiling.checked_sub(actual).is_some_and(|left| left >= 0));
        }
    }

    #[test]
    fn a_record_outlives_every_authorization_that_could_be_presented((expiration, now) in expiration_and_now()) {
        let (wide_expiration, wide_now) = (i64::from(expiration), i64::from(now));
        let longest = i64::from(LONGEST_AUTHORIZATION);
        match record_lifetime(expiration, now) {
            Err(Error::Expired) => prop_assert!(wide_expiration < wide_now),
            Err(Error::ExpirationTooFar) => prop_assert!(wide_expiration > wide_now + longest),
            Err(other) => prop_assert!(false, "{other:?}"),
            Ok(lifetime) => {
                prop_assert!((wide_now..=wide_now + longest).contains(&wide_expiration));
                prop_assert_eq!(wide_now + i64::from(lifetime), wide_expiration + longest);
                prop_assert!(lifetime <= 2 * LONGEST_AUTHORIZATION);
            }
        }
    }
}

/// One attempted settlement.
#[derive(Clone, Debug)]
struct Attempt {
    ceiling: i128,
    actual: i128,
    expires_after: u32,
    nonce: u8,
    ledgers_before: u32,
}

fn attempt() -> impl Strategy<Value = Attempt> {
    (-1i128..400, -1i128..420, 0u32..20_000, 0u8..8, 0u32..8_000).prop_map(
        |(ceiling, actual, expires_after, nonce, ledgers_before)| Attempt {
            ceiling,
            actual,
            expires_after,
            nonce,
            ledgers_before,
        },
    )
}

/// The expected state, tracked independently of the ledger.
struct Books {
    left: i128,
    paid: i128,
    /// Nonce, last ledger of its record, actual amount.
    records: Vec<(u8, u32, i128)>,
}

impl Books {
    fn settle(&mut self, attempt: &Attempt, now: u32) -> Outcome {
        let Attempt {
            ceiling,
            actual,
            expires_after,
            nonce,
            ..
        } = *attempt;
        if ceiling <= 0 || actual < 0 {
            return Outcome::Refused(Error::InvalidAmount);
        }
        if actual > ceiling {
            return Outcome::Refused(Error::ActualAboveCeiling);
        }
        if expires_after > LONGEST_AUTHORIZATION {
            return Outcome::Refused(Error::ExpirationTooFar);
        }
        if self.settled(nonce, now).is_some() {
            return Outcome::Refused(Error::NonceUsed);
        }
        if ceiling > self.left {
            return Outcome::Failed;
        }
        self.left -= actual;
        self.paid += actual;
        self.records
            .push((nonce, now + expires_after + LONGEST_AUTHORIZATION, actual));
        Outcome::Settled
    }

    fn settled(&self, nonce: u8, now: u32) -> Option<i128> {
        let mut alive = self.records.iter().filter(|(_, until, _)| now <= *until);
        alive
            .find(|(n, ..)| *n == nonce)
            .map(|(_, _, actual)| *actual)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn books_and_ledger_agree_after_any_settlements(
        budget in 0i128..2_000,
        attempts in prop::collection::vec(attempt(), 1..15),
    ) {
        let mut policy = None;
        let sale = Sale::to_account(|env, upto, key| {
            let account = env.register(BudgetedAccount, (key.public_in(env),));
            let attached = env.register(BudgetPolicy, (&account, upto, budget));
            BudgetedAccountClient::new(env, &account).attach(&vec![env, attached.clone()]);
            policy = Some(attached);
            account
        });
        let policy = policy.expect("deployed");
        let mut books = Books { left: budget, paid: 0, records: Vec::new() };
        for attempt in &attempts {
            pass_ledgers(&sale.env, attempt.ledgers_before);
            let now = sale.env.ledger().sequence();
            let terms = Terms {
                expiration: now + attempt.expires_after,
                nonce: BytesN::from_array(&sale.env, &[attempt.nonce; 32]),
                ..sale.terms(attempt.ceiling, 0)
            };
            let allowed = sale.allowance();
            let outcome = sale.settle(&terms, attempt.actual);
            prop_assert_eq!(outcome, books.settle(attempt, now));
            let settled_something = outcome == Outcome::Settled && attempt.actual > 0;
            prop_assert_eq!(
                sale.allowance(),
                if settled_something { attempt.ceiling - attempt.actual } else { allowed }
            );
            prop_assert_eq!(sale.balances(), (FUNDS - books.paid, books.paid, 0));
            prop_assert_eq!(BudgetPolicyClient::new(&sale.env, &policy).left(), books.left);
            for nonce in 0..8 {
                let terms = sale.terms(1, nonce);
                prop_assert_eq!(sale.settled(&terms), books.settled(nonce, now));
            }
        }
    }
}
