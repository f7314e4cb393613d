//! Sliding windows, and the number of payments in a window.

use spending_limit::PARTS;

use super::scene::{assert_refused, Limits, Scene, WINDOW};

const OVER: [u32; 2] = [1, 110];
const TOO_MANY: [u32; 2] = [7, 110];

/// The maximum number of seconds for which a payment counts beyond the window, which is a multiple of it.
const PART: u64 = WINDOW / PARTS as u64;

fn limited(limits: Limits) -> (Scene, soroban_sdk::Address) {
    let scene = Scene::new();
    let policy = scene.made_limit(limits);
    scene.limit_by(&policy);
    (scene, policy)
}

// Around the end of a fixed window, twice the limit can move: `it_does_not_slide`.
#[test]
fn no_span_of_the_windows_length_has_more_than_the_limit() {
    let (scene, policy) = limited(Limits::sliding(100));
    assert_eq!(scene.pay(10), Ok(()));
    scene.pass(WINDOW - 5);
    assert_eq!(scene.pay(90), Ok(()));
    scene.pass(5);
    // A day after the first payment, it still counts until its part leaves the window.
    assert_refused(scene.pay(1), &OVER);
    scene.pass(PART);
    assert_eq!(scene.spent(&policy), 90);
    assert_eq!(scene.pay(10), Ok(()));
    assert_refused(scene.pay(1), &OVER);
    assert_eq!(scene.paid(), 110);
    // What was spent late counts for a day from then.
    scene.pass(WINDOW - PART - 10);
    assert_refused(scene.pay(1), &OVER);
    scene.pass(PART + 10);
    assert_eq!(scene.spent(&policy), 10);
}

#[test]
fn a_payment_counts_for_the_window_and_at_most_a_part_longer() {
    let (scene, policy) = limited(Limits::sliding(100));
    // In the first second of a part, and in its last ledger.
    for (ahead, counts) in [(0, WINDOW + PART), (PART - 5, WINDOW + 5)] {
        let now = scene.env.ledger().timestamp();
        scene.pass(PART - now % PART + ahead);
        assert_eq!(scene.pay(100), Ok(()));
        let frees = scene.env.ledger().timestamp() + counts;
        assert_eq!(scene.budget(&policy).resets_at, Some(frees));
        scene.pass(counts - 5);
        assert_refused(scene.pay(1), &OVER);
        scene.pass(5);
        assert_eq!(scene.budget(&policy).remaining, 100);
        assert_eq!(scene.budget(&policy).resets_at, None);
    }
}

#[test]
fn the_oldest_payment_leaves_the_window_first() {
    let (scene, policy) = limited(Limits::sliding(120));
    for _ in 0..12 {
        assert_eq!(scene.pay(10), Ok(()));
        scene.pass(PART);
    }
    assert_refused(scene.pay(1), &OVER);
    for left in 1..12 {
        scene.pass(PART);
        assert_eq!(scene.spent(&policy), 120 - 10 * left);
    }
    // After a long time, none of it counts.
    scene.pass(10 * WINDOW);
    assert_eq!(scene.spent(&policy), 0);
    assert_eq!(scene.pay(120), Ok(()));
}

#[test]
fn the_unused_part_of_a_ceiling_is_given_back_where_it_was_charged() {
    let (scene, policy) = limited(Limits::sliding(100));
    assert_eq!(scene.pay(30), Ok(()));
    scene.pass(WINDOW / 2);
    assert_eq!(scene.settle(&scene.terms(70, 1), 10), Ok(()));
    assert_eq!(scene.spent(&policy), 40);
    assert_refused(scene.settle(&scene.terms(61, 2), 0), &OVER);
    scene.pass(WINDOW / 2 + PART);
    assert_eq!(scene.spent(&policy), 10);
}

#[test]
fn a_window_has_at_most_the_maximum_number_of_payments() {
    for limits in [Limits::of(100), Limits::sliding(100)] {
        let (scene, policy) = limited(Limits {
            payments: Some(3),
            ..limits
        });
        assert_eq!(scene.budget(&policy).payments_left, Some(3));
        for left in [2, 1, 0] {
            assert_eq!(scene.pay(1), Ok(()));
            assert_eq!(scene.budget(&policy).payments_left, Some(left));
        }
        assert_refused(scene.pay(1), &TOO_MANY);
        // A payment of more than what is left exceeds the limit, whatever the number of payments.
        assert_refused(scene.pay(98), &OVER);
        assert_eq!(scene.spent(&policy), 3);
        scene.pass(WINDOW + PART);
        assert_eq!(scene.budget(&policy).payments_left, Some(3));
        assert_eq!(scene.pay(100), Ok(()));
    }
}

// Otherwise, a seller who settles zero would let an agent sign without limit.
#[test]
fn a_settlement_of_zero_counts_as_a_payment() {
    let (scene, policy) = limited(Limits {
        payments: Some(2),
        ..Limits::of(100)
    });
    assert_eq!(scene.settle(&scene.terms(100, 1), 0), Ok(()));
    assert_eq!(scene.spent(&policy), 0);
    assert_eq!(scene.budget(&policy).payments_left, Some(1));
    let resets = scene.env.ledger().timestamp() + WINDOW;
    assert_eq!(scene.budget(&policy).resets_at, Some(resets));
    assert_eq!(scene.pay(1), Ok(()));
    assert_refused(scene.pay(1), &TOO_MANY);
    scene.pass(WINDOW);
    assert_eq!(scene.pay(1), Ok(()));
}

#[test]
fn a_refused_payment_is_not_counted() {
    let (scene, policy) = limited(Limits {
        payments: Some(1),
        per_payment: Some(50),
        ..Limits::sliding(100)
    });
    assert_refused(scene.pay(51), &[2, 110]);
    assert_refused(scene.pay(0), &OVER);
    assert_eq!(scene.budget(&policy).payments_left, Some(1));
    assert_eq!(scene.pay(50), Ok(()));
}

#[test]
fn very_short_and_very_long_windows_work() {
    for window in [1, 2, 11, 13, u64::MAX] {
        for sliding in [false, true] {
            let (scene, policy) = limited(Limits {
                window,
                sliding,
                payments: Some(u32::MAX),
                ..Limits::of(i128::MAX)
            });
            assert_eq!(scene.pay(2), Ok(()));
            assert_refused(scene.pay(i128::MAX), &OVER);
            scene.pass(60);
            let spent = if window < 60 { 0 } else { 2 };
            assert_eq!(scene.spent(&policy), spent, "{window} {sliding}");
            assert_eq!(scene.pay(1), Ok(()));
        }
    }
}
