//! Opening is an ordinary payment to an address.

use soroban_sdk::{
    testutils::{storage::Instance as _, Deployer as _},
    BytesN,
};
use test_support::pass_ledgers;

use super::market::{Market, FUNDS, WAIT};
use crate::{Error, LIFE, RENEWED_BELOW};

#[test]
fn a_channel_opens_with_the_entry_of_an_ordinary_payment() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    let entry = market.payment(&address, 1_000);
    assert!(market.open_with(&terms, 1_000, &[entry]));
    assert_eq!(market.events(), ["open", "transfer"]);
    let channel = market.channel(&address);
    assert_eq!(channel.token(), terms.token);
    assert_eq!(channel.from(), terms.from);
    assert_eq!(channel.to(), terms.to);
    assert_eq!(channel.commitment_key(), terms.commitment_key);
    assert_eq!(channel.refund_waiting_period(), WAIT);
    assert_eq!((channel.balance(), channel.withdrawn()), (1_000, 0));
    assert_eq!(market.balance(&terms.from), FUNDS - 1_000);
}

#[test]
fn opening_finds_the_money_that_is_there_whoever_paid_it() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    assert!(market.pay(&address, 700));
    market.mint(&address, 5);
    assert_eq!(market.open(&terms), address);
    assert_eq!(market.channel(&address).balance(), 705);
    let entry = market.payment(&address, 300);
    assert!(market.open_with(&terms, 300, &[entry]));
    assert_eq!(market.channel(&address).balance(), 1_005);
}

#[test]
fn a_channel_that_somebody_else_opened_takes_the_same_entry() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    let entry = market.payment(&address, 1_000);
    market.open(&terms);
    market.open(&terms);
    assert!(market.open_with(&terms, 1_000, &[entry]));
    assert_eq!(market.events(), ["transfer"]);
    assert_eq!(market.channel(&address).balance(), 1_000);
}

#[test]
fn an_open_channel_keeps_what_it_knows() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.open(&terms);
    assert!(market.pay(&address, 1_000));
    assert_eq!(market.claim(&[market.claim_of(&address, 400)]), 1);
    market.open(&terms);
    let channel = market.channel(&address);
    assert_eq!((channel.balance(), channel.withdrawn()), (600, 400));
}

#[test]
fn a_deposit_needs_the_payers_entry_for_that_amount_and_that_channel() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    let other = market.client().address(&market.terms(2));
    assert!(!market.open_with(&terms, 1_000, &[]));
    let less = market.payment(&address, 999);
    assert!(!market.open_with(&terms, 1_000, &[less]));
    let elsewhere = market.payment(&other, 1_000);
    assert!(!market.open_with(&terms, 1_000, &[elsewhere]));
    assert!(!address.exists());
    let too_much = market.payment(&address, FUNDS + 1);
    assert!(!market.open_with(&terms, FUNDS + 1, &[too_much]));
    assert!(!address.exists());
    assert_eq!(market.balance(&terms.from), FUNDS);
}

#[test]
fn a_deposit_below_zero_is_refused() {
    let market = Market::new();
    for amount in [-1, i128::MIN] {
        let refused = market.client().try_open(&market.terms(1), &amount);
        assert_eq!(refused.err(), Some(Ok(Error::NegativeDeposit)));
    }
}

#[test]
fn other_terms_at_a_paid_address_do_not_get_its_money() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    assert!(market.pay(&address, 1_000));
    let mut theirs = terms.clone();
    theirs.commitment_key = BytesN::from_array(&market.env, &[9; 32]);
    let elsewhere = market.open(&theirs);
    assert_ne!(elsewhere, address);
    assert_eq!(market.channel(&elsewhere).balance(), 0);
    assert_eq!(market.balance(&address), 1_000);
}

#[test]
fn opening_again_renews_a_channel_and_a_call_renews_the_opener() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.open(&terms);
    let left = || market.env.deployer().get_contract_instance_ttl(&address);
    pass_ledgers(&market.env, left() - RENEWED_BELOW - 1);
    market.open(&terms);
    assert_eq!(left(), RENEWED_BELOW + 1);
    pass_ledgers(&market.env, 2);
    market.open(&terms);
    assert_eq!(left(), LIFE);
    let opener = || {
        let read = || market.env.storage().instance().get_ttl();
        market.env.as_contract(&market.opener, read)
    };
    pass_ledgers(&market.env, opener() - 1);
    assert_eq!(market.claim(&[]), 0);
    assert_eq!(opener(), LIFE);
}

#[test]
fn a_channel_that_was_archived_opens_and_pays() {
    let market = Market::new();
    let terms = market.terms(1);
    let address = market.open(&terms);
    assert!(market.pay(&address, 1_000));
    assert_eq!(market.claim(&[market.claim_of(&address, 100)]), 1);
    pass_ledgers(&market.env, 30 * WAIT);
    assert_eq!(market.open(&terms), address);
    assert_eq!(market.claim(&[market.claim_of(&address, 400)]), 1);
    assert_eq!(market.earned(), 400);
    assert_eq!(market.channel(&address).balance(), 600);
}
