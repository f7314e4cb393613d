//! What opens a channel, and what fills it.

use soroban_sdk::{testutils::Address as _, Address, BytesN};

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS, WAIT};
use crate::{Channel, Error};

#[test]
fn the_getters_say_what_was_agreed() {
    let scene = Scene::new();
    let client = scene.client();
    assert_eq!(client.token(), scene.token);
    assert_eq!(client.from(), scene.payer.address);
    assert_eq!(client.to(), scene.recipient.address);
    assert_eq!(client.commitment_key(), scene.key.public_in(&scene.env));
    assert_eq!(client.refund_waiting_period(), WAIT);
    assert_eq!(client.balance(), DEPOSIT);
    assert_eq!(client.withdrawn(), 0);
    assert_eq!(client.deposited(), DEPOSIT);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(client.balance(), DEPOSIT - 400);
    assert_eq!(client.withdrawn(), 400);
    assert_eq!(client.deposited(), DEPOSIT);
}

#[test]
#[should_panic(expected = "Error(Contract, #401)")]
fn a_channel_does_not_open_with_less_than_nothing() {
    let scene = Scene::new();
    scene.env.register(Channel, scene.terms(-1));
}

#[test]
fn what_lay_at_the_address_before_is_part_of_the_deposit_whoever_paid_it() {
    let scene = Scene::new();
    let there = Address::generate(&scene.env);
    scene.mint(&there, 70);
    assert_eq!(scene.deposit_into(&there, 30), Outcome::Done);
    scene.env.register_at(&there, Channel, scene.terms(0));
    assert_eq!(scene.settle_in(&there, 100), Outcome::Done);
    assert_eq!(scene.balance(&scene.recipient.address), 100);
    assert_eq!(scene.balance(&there), 0);
}

#[test]
fn a_top_up_needs_the_payers_signature() {
    let scene = Scene::new();
    assert_eq!(scene.top_up(200), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 1_200, 0, 1_200));
    let nobody = scene.call(&scene.channel, "top_up", (200i128,), &[]);
    assert_eq!(nobody, Outcome::Failed);
    let transfer = scene.transfer_of(&scene.recipient.address, &scene.channel, 200);
    let below = std::slice::from_ref(&transfer);
    let another = scene.call_as(
        &scene.recipient,
        &scene.channel,
        "top_up",
        (200i128,),
        below,
    );
    assert_eq!(another, Outcome::Failed);
    assert_eq!(scene.balances(), (FUNDS - 1_200, 0, 1_200));
}

#[test]
fn a_top_up_of_nothing_does_nothing_and_one_of_less_is_refused() {
    let scene = Scene::new();
    let nothing = scene.call(&scene.channel, "top_up", (0i128,), &[]);
    assert_eq!(nothing, Outcome::Done);
    let less = scene.call(&scene.channel, "top_up", (-1i128,), &[]);
    assert_eq!(less, Outcome::Refused(Error::NegativeAmount));
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
}

#[test]
fn a_top_up_of_more_than_the_payer_has_fails() {
    let scene = Scene::new();
    assert_eq!(scene.top_up(FUNDS), Outcome::Failed);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
}

#[test]
fn a_key_whose_signatures_the_ledger_refuses_locks_nothing() {
    let scene = Scene::new();
    // The neutral point: any signature would do, if the host took it.
    let mut point = [0; 32];
    point[0] = 1;
    let (token, from, _, to, amount, wait) = scene.terms(0);
    let weak = BytesN::from_array(&scene.env, &point);
    let channel = scene
        .env
        .register(Channel, (token, from, weak, to, amount, wait));
    assert_eq!(scene.deposit_into(&channel, 100), Outcome::Done);
    // R is the base point, S is one.
    let mut forged = [0x66; 64];
    forged[0] = 0x58;
    forged[32..].fill(0);
    forged[32] = 1;
    let forged = BytesN::from_array(&scene.env, &forged);
    let settled = scene.call(&channel, "settle", (100i128, forged.clone()), &[]);
    assert_eq!(settled, Outcome::Failed);
    let started = scene.call(&channel, "close_start_signed", (forged,), &[]);
    assert_eq!(started, Outcome::Failed);
    let started = scene.call_as(&scene.payer, &channel, "close_start", (), &[]);
    assert_eq!(started, Outcome::Done);
    test_support::pass_ledgers(&scene.env, WAIT);
    assert_eq!(scene.call(&channel, "refund", (), &[]), Outcome::Done);
    assert_eq!(scene.balance(&scene.payer.address) + DEPOSIT, FUNDS);
}
