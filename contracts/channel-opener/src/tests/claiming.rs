//! Many channels in one call.

use soroban_sdk::{testutils::Address as _, Address, BytesN};
use test_support::{pass_ledgers, Key};

use super::market::{Market, WAIT};

/// Opens channels that hold a thousand each.
fn channels(market: &Market, count: u8) -> std::vec::Vec<Address> {
    let open = |salt| {
        let channel = market.open(&market.terms(salt));
        market.mint(&channel, 1_000);
        channel
    };
    (1..=count).map(open).collect()
}

#[test]
fn each_channel_pays_its_voucher() {
    let market = Market::new();
    let channels = channels(&market, 5);
    let claims: std::vec::Vec<_> = (1..)
        .zip(&channels)
        .map(|(index, channel)| market.claim_of(channel, 100 * index))
        .collect();
    assert_eq!(market.claim(&claims), 5);
    assert_eq!(market.events(), ["transfer"; 5]);
    assert_eq!(market.earned(), 1_500);
    for (index, channel) in (1..).zip(&channels) {
        assert_eq!(market.channel(channel).withdrawn(), 100 * index);
    }
    assert_eq!(market.claim(&claims), 5);
    assert_eq!(market.earned(), 1_500);
}

#[test]
fn what_fails_does_not_undo_the_others() {
    let market = Market::new();
    let channels = channels(&market, 3);
    let nowhere = (
        Address::generate(&market.env),
        1i128,
        BytesN::from_array(&market.env, &[0; 64]),
    );
    let no_channel = (market.token.clone(), nowhere.1, nowhere.2.clone());
    let itself = (market.opener.clone(), nowhere.1, nowhere.2.clone());
    let claims = [
        market.claim_of(&channels[0], 100),
        market.claim_signed_by(&Key::of(9), &channels[1], 200),
        nowhere,
        no_channel,
        itself,
        market.claim_of(&channels[2], 300),
    ];
    assert_eq!(market.claim(&claims), 2);
    assert_eq!(market.events(), ["transfer", "transfer"]);
    assert_eq!(market.earned(), 400);
    assert_eq!(market.channel(&channels[1]).withdrawn(), 0);
}

#[test]
fn a_channel_twice_in_a_call_is_paid_once() {
    let market = Market::new();
    let channels = channels(&market, 1);
    let claims = [
        market.claim_of(&channels[0], 100),
        market.claim_of(&channels[0], 300),
        market.claim_of(&channels[0], 200),
    ];
    assert_eq!(market.claim(&claims), 3);
    assert_eq!(market.earned(), 300);
}

#[test]
fn a_payer_that_takes_its_refund_first_stops_no_batch() {
    let market = Market::new();
    let channels = channels(&market, 2);
    let entry = market.signed_by_payer(&channels[0], "close_start", ());
    assert!(market.call(&channels[0], "close_start", (), &[entry]));
    pass_ledgers(&market.env, WAIT);
    market.channel(&channels[0]).refund();
    let claims = [
        market.claim_of(&channels[0], 100),
        market.claim_of(&channels[1], 300),
    ];
    assert_eq!(market.claim(&claims), 2);
    assert_eq!(market.events(), ["transfer"]);
    assert_eq!(market.earned(), 300);
}
