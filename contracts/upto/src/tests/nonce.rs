//! A nonce settles once, for as long as any authorization could be presented under it.

use test_support::{pass_ledgers, ClassicAccount, Key, FIRST_LEDGER};

use super::sale::{Outcome, Payer, Sale, Terms, FUNDS};
use crate::{Error, LONGEST_AUTHORIZATION};

const USED: Outcome = Outcome::Refused(Error::NonceUsed);

#[test]
fn settled_returns_the_actual_amount_and_nothing_before() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    assert_eq!(sale.settled(&terms), None);
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(sale.settled(&terms), Some(37));
    assert_eq!(sale.settled(&sale.terms(100, 2)), None);
}

#[test]
fn zero_settles_and_moves_nothing() {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    assert_eq!(sale.settle(&terms, 0), Outcome::Settled);
    assert!(sale.token_events().is_empty());
    assert_eq!(sale.settled(&terms), Some(0));
    assert_eq!(sale.balances(), (FUNDS, 0, 0));
    assert_eq!(sale.allowance(), 0);
    assert_eq!(sale.settle(&terms, 37), USED);
}

#[test]
fn a_nonce_signed_again_on_other_terms_is_used() {
    let sale = Sale::new();
    assert_eq!(sale.settle(&sale.terms(100, 1), 37), Outcome::Settled);
    assert_eq!(sale.settle(&sale.terms(200, 1), 1), USED);
    assert_eq!(sale.settle(&sale.terms(200, 2), 1), Outcome::Settled);
}

#[test]
fn every_payer_has_its_own_nonces() {
    let mut sale = Sale::new();
    assert_eq!(sale.settle(&sale.terms(100, 1), 37), Outcome::Settled);
    let other = ClassicAccount::open(&sale.env, Key::of(2), &sale.asset);
    sale.fund(&other.address, 100);
    sale.payer = Payer::Classic(other);
    assert_eq!(sale.settle(&sale.terms(100, 1), 50), Outcome::Settled);
    assert_eq!(sale.balances(), (50, 87, 0));
}

#[test]
fn the_record_outlives_the_longest_authorization() {
    for expires_after in [0, 1, LONGEST_AUTHORIZATION] {
        let sale = Sale::new();
        let expiration = FIRST_LEDGER + expires_after;
        let terms = Terms {
            expiration,
            ..sale.terms(100, 1)
        };
        assert_eq!(sale.settle(&terms, 37), Outcome::Settled);

        // The last ledger in which the authorization could be presented if it had not been settled.
        pass_ledgers(&sale.env, expires_after);
        assert_eq!(sale.settle(&terms, 37), USED);

        // Signed with the same nonce up to that ledger, and presented as late as possible.
        pass_ledgers(&sale.env, LONGEST_AUTHORIZATION);
        let again = Terms {
            expiration: sale.env.ledger().sequence(),
            ..terms.clone()
        };
        assert_eq!(sale.settle(&again, 1), USED);
        assert_eq!(sale.settled(&terms), Some(37));

        // Only now is the record gone, long after the authorization expired.
        pass_ledgers(&sale.env, 1);
        assert_eq!(sale.settled(&terms), None);
        assert_eq!(sale.settle(&terms, 37), Outcome::Refused(Error::Expired));
        assert_eq!(sale.balances(), (FUNDS - 37, 37, 0));
    }
}
