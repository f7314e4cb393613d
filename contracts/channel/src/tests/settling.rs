//! What a voucher pays, and to whom.

use soroban_sdk::BytesN;
use test_support::Key;

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS};
use crate::Error;

#[test]
fn a_voucher_pays_what_the_recipient_has_not_got_yet() {
    let scene = Scene::new();
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.events(), ["transfer"]);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
    assert_eq!(scene.settle(401), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 401, 599));
    assert_eq!(scene.settle(DEPOSIT), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, DEPOSIT, 0));
}

#[test]
fn an_old_voucher_and_the_same_again_pay_nothing() {
    let scene = Scene::new();
    for amount in [400, 400, 399, 1, 0] {
        assert_eq!(scene.settle(amount), Outcome::Done);
        assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
    }
    assert!(scene.events().is_empty());
}

#[test]
fn a_voucher_over_the_deposit_pays_what_is_there_and_the_rest_when_it_comes() {
    let scene = Scene::new();
    assert_eq!(scene.settle(1_500), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, DEPOSIT, 0));
    assert_eq!(scene.client().withdrawn(), DEPOSIT);
    assert_eq!(scene.settle(1_500), Outcome::Done);
    assert_eq!(scene.deposit(300), Outcome::Done);
    assert_eq!(scene.settle(1_500), Outcome::Done);
    assert_eq!(scene.top_up(300), Outcome::Done);
    assert_eq!(scene.settle(1_500), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 1_600, 1_500, 100));
}

#[test]
fn the_largest_voucher_pays_what_is_there() {
    let scene = Scene::new();
    assert_eq!(scene.settle(1), Outcome::Done);
    assert_eq!(scene.settle(i128::MAX), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, DEPOSIT, 0));
    assert_eq!(scene.client().deposited(), DEPOSIT);
}

#[test]
fn a_voucher_below_zero_is_refused_even_if_it_is_signed() {
    let scene = Scene::new();
    for amount in [-1, i128::MIN] {
        assert_eq!(
            scene.settle(amount),
            Outcome::Refused(Error::NegativeAmount)
        );
        assert_eq!(scene.close(amount), Outcome::Refused(Error::NegativeAmount));
    }
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
}

#[test]
fn a_signature_of_another_key_amount_or_channel_pays_nothing() {
    let scene = Scene::new();
    let other_key = scene.signed_by(&Key::of(9), &scene.channel, 100);
    let other_amount = scene.voucher(101);
    let other_channel = scene.signed_by(&scene.key, &scene.twin(), 100);
    let closing = scene.closing_signed_by(&scene.key, &scene.channel);
    let nothing = BytesN::from_array(&scene.env, &[0; 64]);
    for sig in [other_key, other_amount, other_channel, closing, nothing] {
        let settled = scene.call(&scene.channel, "settle", (100i128, sig.clone()), &[]);
        assert_eq!(settled, Outcome::Failed);
        let arguments = (100i128, sig);
        let closed = scene.call_as(&scene.recipient, &scene.channel, "close", arguments, &[]);
        assert_eq!(closed, Outcome::Failed);
    }
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
}

#[test]
fn two_channels_of_equal_terms_pay_each_for_itself() {
    let scene = Scene::new();
    let twin = scene.twin();
    assert_eq!(scene.deposit_into(&twin, 500), Outcome::Done);
    assert_eq!(scene.settle(300), Outcome::Done);
    assert_eq!(scene.settle_in(&twin, 200), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 1_500, 500, 700));
    assert_eq!(scene.balance(&twin), 300);
    assert_eq!(scene.close_in(&twin, 200), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 1_200, 500, 700));
    assert_eq!(scene.settle(1_000), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 1_200, 1_200, 0));
}

#[test]
fn dust_from_strangers_delays_and_changes_nothing() {
    let scene = Scene::new();
    for _ in 0..3 {
        scene.mint(&scene.channel, 1);
        assert_eq!(scene.settle(400), Outcome::Done);
    }
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 603));
    assert_eq!(scene.close(400), Outcome::Done);
    // What strangers gave is the payer's.
    assert_eq!(scene.balances(), (FUNDS - 397, 400, 0));
}
