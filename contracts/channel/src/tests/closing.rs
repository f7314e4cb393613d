//! Who closes, and who gets what is left, at every edge of the waiting period.

use test_support::{pass_ledgers, Key, FIRST_LEDGER};

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS, WAIT};
use crate::{state, Channel, Error};

const EARLY: Outcome = Outcome::Refused(Error::TooEarly);

fn closes_at(scene: &Scene) -> Option<u32> {
    let read = || state::closes_at(&scene.env);
    scene.env.as_contract(&scene.channel, read)
}

#[test]
fn the_recipient_closes_and_both_are_paid() {
    let scene = Scene::new();
    assert_eq!(scene.close(400), Outcome::Done);
    assert_eq!(scene.events(), ["transfer", "close", "transfer", "refund"]);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
    assert_eq!(closes_at(&scene), Some(FIRST_LEDGER));
}

#[test]
fn closing_with_a_voucher_of_nothing_returns_everything() {
    let scene = Scene::new();
    assert_eq!(scene.close(0), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS, 0, 0));
}

#[test]
fn only_the_recipient_closes() {
    let scene = Scene::new();
    let arguments = || (400i128, scene.voucher(400));
    let nobody = scene.call(&scene.channel, "close", arguments(), &[]);
    assert_eq!(nobody, Outcome::Failed);
    let payer = scene.call_as(&scene.payer, &scene.channel, "close", arguments(), &[]);
    assert_eq!(payer, Outcome::Failed);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
    assert_eq!(closes_at(&scene), None);
}

#[test]
fn only_payer_and_voucher_key_start_closing() {
    let scene = Scene::new();
    let nobody = scene.call(&scene.channel, "close_start", (), &[]);
    assert_eq!(nobody, Outcome::Failed);
    let recipient = scene.call_as(&scene.recipient, &scene.channel, "close_start", (), &[]);
    assert_eq!(recipient, Outcome::Failed);
    let other_channel = scene.closing_signed_by(&scene.key, &scene.twin());
    let other_key = scene.closing_signed_by(&Key::of(9), &scene.channel);
    for sig in [other_channel, other_key, scene.voucher(0)] {
        let started = scene.call(&scene.channel, "close_start_signed", (sig,), &[]);
        assert_eq!(started, Outcome::Failed);
    }
    assert_eq!(closes_at(&scene), None);
    assert_eq!(scene.refund(), Outcome::Refused(Error::NotClosing));
}

#[test]
fn the_refund_is_due_in_the_ledger_in_which_the_waiting_period_ends_and_not_before() {
    for start in [Scene::close_start, Scene::close_start_signed] {
        let scene = Scene::new();
        assert_eq!(start(&scene), Outcome::Done);
        assert_eq!(scene.events(), ["close"]);
        assert_eq!(closes_at(&scene), Some(FIRST_LEDGER + WAIT));
        assert_eq!(scene.refund(), EARLY);
        pass_ledgers(&scene.env, WAIT - 1);
        assert_eq!(scene.refund(), EARLY);
        pass_ledgers(&scene.env, 1);
        assert_eq!(scene.refund(), Outcome::Done);
        assert_eq!(scene.events(), ["transfer", "refund"]);
        assert_eq!(scene.balances(), (FUNDS, 0, 0));
    }
}

#[test]
fn a_voucher_counts_until_the_refund_is_made() {
    let last_before = |ledgers| {
        let scene = Scene::new();
        assert_eq!(scene.close_start(), Outcome::Done);
        pass_ledgers(&scene.env, ledgers);
        assert_eq!(scene.settle(400), Outcome::Done);
        pass_ledgers(&scene.env, WAIT.saturating_sub(ledgers));
        assert_eq!(scene.refund(), Outcome::Done);
        assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
    };
    for ledgers in [0, WAIT - 1, WAIT, WAIT + 1, 2 * WAIT] {
        last_before(ledgers);
    }
}

#[test]
fn after_the_refund_a_voucher_pays_nothing_and_fails_nothing() {
    let scene = Scene::new();
    assert_eq!(scene.close_start(), Outcome::Done);
    pass_ledgers(&scene.env, WAIT);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.close(400), Outcome::Done);
    assert_eq!(scene.refund(), Outcome::Done);
    assert!(scene.events().is_empty());
    assert_eq!(scene.balances(), (FUNDS, 0, 0));
    assert_eq!(scene.client().withdrawn(), 0);
}

#[test]
fn closing_starts_once_and_nobody_delays_it() {
    let scene = Scene::new();
    assert_eq!(scene.close_start_signed(), Outcome::Done);
    let already = Outcome::Refused(Error::AlreadyClosing);
    for ledgers in [0, WAIT - 1, 1, WAIT] {
        pass_ledgers(&scene.env, ledgers);
        // The signature is in the ledger for all to see.
        assert_eq!(scene.close_start_signed(), already);
        assert_eq!(scene.close_start(), already);
        assert_eq!(closes_at(&scene), Some(FIRST_LEDGER + WAIT));
    }
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.close_start(), already);
    assert_eq!(scene.close_start_signed(), already);
}

#[test]
fn the_recipient_closes_while_the_payer_waits_and_after() {
    for (ledgers, at) in [(0, 0), (WAIT - 1, WAIT - 1), (WAIT, WAIT), (WAIT + 9, WAIT)] {
        let scene = Scene::new();
        assert_eq!(scene.close_start(), Outcome::Done);
        pass_ledgers(&scene.env, ledgers);
        assert_eq!(scene.close(400), Outcome::Done);
        assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
        assert_eq!(closes_at(&scene), Some(FIRST_LEDGER + at));
    }
}

#[test]
fn a_claim_and_a_top_up_do_not_stop_closing() {
    let scene = Scene::new();
    assert_eq!(scene.close_start(), Outcome::Done);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.top_up(200), Outcome::Done);
    assert_eq!(scene.deposit(100), Outcome::Done);
    pass_ledgers(&scene.env, WAIT);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
}

#[test]
fn what_comes_after_closing_is_the_payers_or_pays_an_open_voucher() {
    let scene = Scene::new();
    assert_eq!(scene.close(400), Outcome::Done);
    assert_eq!(scene.deposit(100), Outcome::Done);
    scene.mint(&scene.channel, 11);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400 + 11, 400, 0));
    assert_eq!(scene.top_up(100), Outcome::Done);
    assert_eq!(scene.settle(450), Outcome::Done);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 450 + 11, 450, 0));
}

#[test]
fn a_channel_closes_twice_and_the_first_time_counts() {
    let scene = Scene::new();
    assert_eq!(scene.close(400), Outcome::Done);
    pass_ledgers(&scene.env, 5);
    assert_eq!(scene.deposit(100), Outcome::Done);
    assert_eq!(scene.close(450), Outcome::Done);
    assert_eq!(scene.events(), ["transfer", "transfer", "refund"]);
    assert_eq!(scene.balances(), (FUNDS - 450, 450, 0));
    assert_eq!(closes_at(&scene), Some(FIRST_LEDGER));
}

#[test]
fn the_longest_and_the_shortest_waiting_period_hold() {
    let scene = Scene::new();
    let channel_of = |wait: u32| {
        let (token, from, key, to, amount, _) = scene.terms(0);
        let terms = (token, from, key, to, amount, wait);
        let channel = scene.env.register(Channel, terms);
        assert_eq!(scene.deposit_into(&channel, 100), Outcome::Done);
        let started = scene.call_as(&scene.payer, &channel, "close_start", (), &[]);
        assert_eq!(started, Outcome::Done);
        channel
    };
    let (none, longest) = (channel_of(0), channel_of(u32::MAX));
    assert_eq!(scene.call(&none, "refund", (), &[]), Outcome::Done);
    assert_eq!(scene.call(&longest, "refund", (), &[]), EARLY);
    pass_ledgers(&scene.env, WAIT);
    assert_eq!(scene.call(&longest, "refund", (), &[]), EARLY);
    assert_eq!(scene.close_in(&longest, 10), Outcome::Done);
    assert_eq!(scene.balance(&scene.recipient.address), 10);
}
