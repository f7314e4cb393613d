//! Tumbling windows.

use super::scene::{assert_refused, Scene, WINDOW};

// [spec: Policy gateway/Tumbling]
#[test]
fn the_budget_comes_back_when_the_window_is_over_and_not_before() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(100), Ok(()));
    let resets = scene.env.ledger().timestamp() + WINDOW;
    assert_eq!(scene.budget(&policy).resets_at, Some(resets));
    scene.pass(WINDOW - 5);
    assert_refused(scene.pay(1), &[1, 110]);
    scene.pass(5);
    assert_eq!(scene.budget(&policy).remaining, 100);
    assert_eq!(scene.pay(100), Ok(()));
    assert_refused(scene.pay(1), &[1, 110]);
}

// [spec: Policy gateway/Boundary] [spec: Limits/Spending-limit window]
#[test]
fn it_does_not_slide() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(10), Ok(()));
    scene.pass(WINDOW - 5);
    // A payment late in the window does not extend it, and twice the cap can move around its end.
    assert_eq!(scene.pay(90), Ok(()));
    scene.pass(5);
    assert_eq!(scene.pay(100), Ok(()));
    assert_eq!((scene.spent(&policy), scene.paid()), (100, 200));
}

#[test]
fn a_window_starts_with_the_first_payment_after_the_previous_window() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.budget(&policy).resets_at, None);
    scene.pass(3 * WINDOW + 1_000);
    assert_eq!(scene.pay(1), Ok(()));
    let resets = scene.env.ledger().timestamp() + WINDOW;
    assert_eq!(scene.budget(&policy).resets_at, Some(resets));
}

#[test]
fn settlements_under_upto_count_too() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.settle(&scene.terms(100, 1), 100), Ok(()));
    assert_refused(scene.settle(&scene.terms(1, 2), 1), &[1, 110]);
    scene.pass(WINDOW);
    assert_eq!(scene.settle(&scene.terms(100, 2), 30), Ok(()));
    assert_eq!(scene.spent(&policy), 30);
}

// If nothing reserved was used, the window is empty, and an empty window has not started.
#[test]
fn an_empty_window_starts_with_the_next_payment() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.settle(&scene.terms(100, 1), 0), Ok(()));
    assert_eq!(scene.budget(&policy).resets_at, None);
    scene.pass(WINDOW - 5);
    assert_eq!(scene.pay(100), Ok(()));
    let resets = scene.env.ledger().timestamp() + WINDOW;
    assert_eq!(scene.budget(&policy).resets_at, Some(resets));
    scene.pass(5);
    assert_refused(scene.pay(1), &[1, 110]);
    // Several settlements in one ledger share a window, whatever is given back.
    scene.pass(WINDOW);
    assert_eq!(scene.settle(&scene.terms(100, 2), 0), Ok(()));
    assert_eq!(scene.settle(&scene.terms(100, 3), 60), Ok(()));
    assert_refused(scene.settle(&scene.terms(41, 4), 0), &[1, 110]);
    assert_eq!(scene.spent(&policy), 60);
}
