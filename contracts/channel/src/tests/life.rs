//! How long a channel lives, and that it comes back.

use soroban_sdk::testutils::storage::Instance as _;
use test_support::pass_ledgers;

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS, WAIT};
use crate::{LIFE, RENEWED_BELOW};

fn left(scene: &Scene) -> u32 {
    let read = || scene.env.storage().instance().get_ttl();
    scene.env.as_contract(&scene.channel, read)
}

#[test]
fn a_claim_renews_a_channel_of_which_less_than_three_days_are_left() {
    let scene = Scene::new();
    let start = left(&scene);
    assert!(start >= LIFE - 1, "{start}");
    pass_ledgers(&scene.env, start - RENEWED_BELOW - 1);
    assert_eq!(scene.settle(1), Outcome::Done);
    assert_eq!(left(&scene), RENEWED_BELOW + 1);
    pass_ledgers(&scene.env, 2);
    assert_eq!(scene.settle(1), Outcome::Done);
    assert_eq!(left(&scene), LIFE);
}

#[test]
fn so_do_a_top_up_and_a_start_of_closing() {
    let renewals: [fn(&Scene) -> Outcome; 3] = [
        |scene| scene.top_up(1),
        Scene::close_start,
        Scene::close_start_signed,
    ];
    for renew in renewals {
        let scene = Scene::new();
        pass_ledgers(&scene.env, left(&scene) - 1);
        assert_eq!(renew(&scene), Outcome::Done);
        assert_eq!(left(&scene), LIFE);
    }
}

#[test]
fn a_channel_that_was_archived_has_lost_nothing() {
    let scene = Scene::new();
    assert_eq!(scene.settle(300), Outcome::Done);
    assert_eq!(scene.close_start(), Outcome::Done);
    pass_ledgers(&scene.env, left(&scene) + 10 * WAIT);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
    assert!(left(&scene) >= LIFE - 1);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
}
