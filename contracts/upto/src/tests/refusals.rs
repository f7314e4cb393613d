//! The contract's own refusals, each with its number and its boundary.

use soroban_sdk::{testutils::Address as _, Address, Error as HostError, IntoVal, Val, Vec};
use test_support::{pass_ledgers, FIRST_LEDGER};

use super::sale::{Outcome, Sale, Terms};
use crate::{Error, LONGEST_AUTHORIZATION};

/// Refusals come before authorization is checked, so these calls do not need any.
fn refusal(sale: &Sale, terms: &Terms, actual: i128) -> Outcome {
    let outcome = sale.present(terms, actual, &[]);
    sale.assert_untouched(terms);
    outcome
}

#[test]
fn errors_have_the_documented_numbers() {
    let numbers = [
        (Error::HookNotSupported, 201),
        (Error::InvalidAmount, 202),
        (Error::ActualAboveCeiling, 203),
        (Error::Expired, 204),
        (Error::ExpirationTooFar, 205),
        (Error::NonceUsed, 206),
        (Error::InvalidRecipient, 207),
    ];
    for (error, number) in numbers {
        assert_eq!(
            HostError::from(error),
            HostError::from_contract_error(number)
        );
    }
}

// [spec: Upto wire shape/hook]
#[test]
fn a_hook_is_refused_whatever_it_is() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    let entry = sale.authorize(&terms);
    let hook = Some(Address::generate(&sale.env));
    let outcome = sale.present_hooked(&terms, 37, &hook, std::slice::from_ref(&entry));
    assert_eq!(outcome, Outcome::Refused(Error::HookNotSupported));
    sale.assert_untouched(&terms);
    assert_eq!(sale.present(&terms, 37, &[entry]), Outcome::Settled);
}

#[test]
fn the_actual_amount_is_at_most_the_ceiling() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    for actual in [101, i128::MAX] {
        assert_eq!(
            refusal(&sale, &terms, actual),
            Outcome::Refused(Error::ActualAboveCeiling)
        );
    }
    assert_eq!(sale.settle(&terms, 100), Outcome::Settled);
}

#[test]
fn negative_amounts_and_ceilings_of_zero_are_refused() {
    let sale = Sale::new();
    for (ceiling, actual) in [
        (100, -1),
        (100, i128::MIN),
        (0, 0),
        (-1, -1),
        (-1, 0),
        (i128::MIN, i128::MIN),
    ] {
        let terms = sale.terms(ceiling, 1);
        assert_eq!(
            refusal(&sale, &terms, actual),
            Outcome::Refused(Error::InvalidAmount)
        );
    }
}

#[test]
fn the_expiration_ledger_is_the_last_in_which_it_settles() {
    let sale = Sale::new();
    let expires_now = Terms {
        expiration: FIRST_LEDGER,
        ..sale.terms(100, 1)
    };
    assert_eq!(sale.settle(&expires_now, 37), Outcome::Settled);

    let sale = Sale::new();
    let terms = Terms {
        expiration: FIRST_LEDGER,
        ..sale.terms(100, 1)
    };
    let entry = sale.authorize(&terms);
    pass_ledgers(&sale.env, 1);
    let outcome = sale.present(&terms, 37, &[entry]);
    assert_eq!(outcome, Outcome::Refused(Error::Expired));
    sale.assert_untouched(&terms);
}

#[test]
fn an_authorization_expires_within_17280_ledgers() {
    let sale = Sale::new();
    let farthest = FIRST_LEDGER + LONGEST_AUTHORIZATION;
    assert_eq!(LONGEST_AUTHORIZATION, 17_280);
    for expiration in [farthest + 1, u32::MAX] {
        let terms = Terms {
            expiration,
            ..sale.terms(100, 1)
        };
        assert_eq!(
            refusal(&sale, &terms, 37),
            Outcome::Refused(Error::ExpirationTooFar)
        );
    }
    let terms = Terms {
        expiration: farthest,
        ..sale.terms(100, 1)
    };
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
}

#[test]
fn neither_the_payer_nor_this_contract_is_a_recipient() {
    let sale = Sale::new();
    for to in [sale.payer.address(), sale.upto.clone()] {
        let terms = Terms {
            to,
            ..sale.terms(100, 1)
        };
        let outcome = sale.present(&terms, 37, &[sale.authorize(&terms)]);
        assert_eq!(outcome, Outcome::Refused(Error::InvalidRecipient));
        sale.assert_untouched(&terms);
    }
}

#[test]
fn settle_takes_eight_arguments_in_the_given_order() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    let eight: Vec<Val> = (
        &terms.token,
        &terms.from,
        &terms.to,
        terms.ceiling,
        terms.expiration,
        &terms.nonce,
        37i128,
        None::<Address>,
    )
        .into_val(&sale.env);
    let call = |arguments: Vec<Val>| {
        sale.env.set_auths(&[sale.authorize(&terms)]);
        let name = soroban_sdk::Symbol::new(&sale.env, "settle");
        sale.env
            .try_invoke_contract::<Val, HostError>(&sale.upto, &name, arguments)
            .is_ok()
    };
    let swapped = |a: u32, b: u32| {
        let mut arguments = eight.clone();
        arguments.set(a, eight.get_unchecked(b));
        arguments.set(b, eight.get_unchecked(a));
        arguments
    };
    for a in 0..8 {
        for b in a + 1..8 {
            assert!(!call(swapped(a, b)), "{a} and {b} swapped");
        }
    }
    let mut seven = eight.clone();
    seven.pop_back();
    assert!(!call(seven));
    sale.assert_untouched(&terms);
    assert!(call(eight));
}
