//! What the payer signs is what happens.

use soroban_sdk::{testutils::Address as _, Address, BytesN};
use std::vec;
use test_support::{Credentials, Key};

use super::sale::{Outcome, Payer, Sale, Terms, FUNDS};
use crate::Error;

#[test]
fn one_signature_over_six_terms_and_one_approve_settles() {
    for mut sale in [Sale::new(), Sale::to_contract_account()] {
        for (nonce, credentials) in [(1, Credentials::Address), (2, Credentials::AddressBound)] {
            sale.credentials = credentials;
            let terms = sale.terms(100, nonce);
            assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
            assert_eq!(sale.settled(&terms), Some(37));
        }
        assert_eq!(sale.balances(), (FUNDS - 74, 74, 0));
    }
}

#[test]
fn the_token_emits_one_transfer_of_the_actual_amount() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(sale.token_events(), ["approve 100", "transfer 37"]);
}

#[test]
fn the_actual_amount_is_not_signed() {
    for actual in [1, 50, 99, 100] {
        let sale = Sale::new();
        let terms = sale.terms(100, 1);
        let signed_before = sale.authorize(&terms);
        assert_eq!(
            sale.present(&terms, actual, &[signed_before]),
            Outcome::Settled
        );
        assert_eq!(sale.balances(), (FUNDS - actual, actual, 0));
    }
}

#[test]
fn nothing_settles_without_a_signature() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    for actual in [0, 37] {
        assert_eq!(sale.present(&terms, actual, &[]), Outcome::Failed);
    }
    sale.assert_untouched(&terms);
}

#[test]
fn nothing_settles_with_the_signature_of_another_key() {
    for mut sale in [Sale::new(), Sale::to_contract_account()] {
        let terms = sale.terms(100, 1);
        let address = sale.payer.address();
        let asset = sale.asset.clone();
        sale.payer = match sale.payer {
            Payer::Contract(..) => Payer::Contract(address, Key::of(2)),
            Payer::Classic(_) => {
                let mut other = test_support::ClassicAccount::open(&sale.env, Key::of(2), &asset);
                other.address = address;
                Payer::Classic(other)
            }
        };
        assert_eq!(sale.settle(&terms, 37), Outcome::Failed);
        sale.assert_untouched(&terms);
    }
}

#[test]
fn each_of_the_six_terms_is_signed() {
    let sale = Sale::new();
    let signed = sale.terms(100, 1);
    let other = || Address::generate(&sale.env);
    let another_token = sale
        .env
        .register_stellar_asset_contract_v2(other())
        .address();
    let changes: [(&str, Terms); 6] = [
        (
            "token",
            Terms {
                token: another_token,
                ..signed.clone()
            },
        ),
        (
            "from",
            Terms {
                from: other(),
                ..signed.clone()
            },
        ),
        (
            "to",
            Terms {
                to: other(),
                ..signed.clone()
            },
        ),
        (
            "max_amount",
            Terms {
                ceiling: 101,
                ..signed.clone()
            },
        ),
        (
            "expiration_ledger",
            Terms {
                expiration: signed.expiration + 1,
                ..signed.clone()
            },
        ),
        (
            "nonce",
            Terms {
                nonce: BytesN::from_array(&sale.env, &[2; 32]),
                ..signed.clone()
            },
        ),
    ];
    for (name, changed) in changes {
        let authorization = sale.authorize(&signed);
        let outcome = sale.present(&changed, 37, &[authorization]);
        assert_eq!(outcome, Outcome::Failed, "{name}");
        sale.assert_untouched(&changed);
    }
    assert_eq!(sale.settle(&signed, 37), Outcome::Settled);
}

#[test]
fn a_root_over_all_eight_arguments_is_refused() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    let mut root = sale.call(
        &sale.upto,
        "settle",
        (
            &terms.token,
            &terms.from,
            &terms.to,
            terms.ceiling,
            terms.expiration,
            &terms.nonce,
            37i128,
            None::<Address>,
        ),
    );
    root.sub_invocations = vec![sale.approve(&terms)].try_into().unwrap();
    assert_eq!(
        sale.present(&terms, 37, &[sale.sign(root)]),
        Outcome::Failed
    );
    sale.assert_untouched(&terms);
}

#[test]
fn money_moves_only_under_an_approve_of_the_ceiling_to_this_contract() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    let Terms {
        token,
        from,
        to,
        ceiling,
        expiration,
        ..
    } = terms.clone();
    let upto = &sale.upto;
    let refused = [
        ("no approve", vec![]),
        (
            "below the ceiling",
            vec![sale.call(&token, "approve", (&from, upto, 37i128, expiration))],
        ),
        (
            "above the ceiling",
            vec![sale.call(&token, "approve", (&from, upto, 101i128, expiration))],
        ),
        (
            "to another",
            vec![sale.call(&token, "approve", (&from, &to, ceiling, expiration))],
        ),
        (
            "expires later",
            vec![sale.call(&token, "approve", (&from, upto, ceiling, expiration + 1))],
        ),
        (
            "another contract's",
            vec![sale.call(upto, "approve", (&from, upto, ceiling, expiration))],
        ),
        (
            "a transfer",
            vec![sale.call(&token, "transfer", (&from, &to, ceiling))],
        ),
    ];
    for (name, below) in refused {
        let authorization = sale.sign(sale.root(&terms, &below));
        let outcome = sale.present(&terms, 37, &[authorization]);
        assert_eq!(outcome, Outcome::Failed, "{name}");
        sale.assert_untouched(&terms);
    }
}

#[test]
fn the_same_entry_settles_once() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    let entry = sale.authorize(&terms);
    assert_eq!(
        sale.present(&terms, 37, std::slice::from_ref(&entry)),
        Outcome::Settled
    );
    for actual in [0, 37, 100] {
        let outcome = sale.present(&terms, actual, std::slice::from_ref(&entry));
        assert_eq!(outcome, Outcome::Refused(Error::NonceUsed));
    }
    assert_eq!(sale.balances(), (FUNDS - 37, 37, 0));
}

#[test]
fn a_payment_without_funds_does_not_spend_the_nonce() {
    let sale = Sale::new();
    let terms = sale.terms(FUNDS * 2, 1);
    assert_eq!(sale.settle(&terms, FUNDS + 1), Outcome::Failed);
    sale.assert_untouched(&terms);
    assert_eq!(sale.settle(&terms, FUNDS), Outcome::Settled);
    assert_eq!(sale.balances(), (0, FUNDS, 0));
}
