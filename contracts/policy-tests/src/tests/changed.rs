//! Changes to the limits of a deployed policy.

use soroban_sdk::{testutils::Address as _, vec, Address, IntoVal, Val, Vec};
use spending_limit::{Error, SpendingLimitClient};
use test_support::{invocation, Key};

use super::{
    scene::{assert_refused, Limits, Scene, WINDOW},
    signing::{Passkey, Sign, FOR_EVER, OWNER},
};

const OVER: [u32; 2] = [1, 110];
const NOBODY_COVERS: [u32; 1] = [110];
const OUTDATED: [u32; 1] = [8];
const INVALID: [u32; 1] = [4];

fn limited(limits: Limits) -> (Scene, Address) {
    let scene = Scene::new();
    let policy = scene.made_limit(limits);
    scene.limit_by(&policy);
    (scene, policy)
}

fn by_owner(
    scene: &Scene,
    policy: &Address,
    revision: u32,
    limits: Limits,
) -> Result<(), std::vec::Vec<u32>> {
    scene.change(policy, revision, limits, &[&scene.owner])
}

#[test]
fn an_owner_changes_all_limits_and_what_was_spent_stays_spent() {
    let (scene, policy) = limited(Limits::of(100));
    assert_eq!(scene.pay(60), Ok(()));
    let resets = scene.budget(&policy).resets_at;
    assert_eq!(by_owner(&scene, &policy, 0, Limits::of(150)), Ok(()));
    let budget = scene.budget(&policy);
    assert_eq!(
        (budget.limit, budget.spent, budget.remaining),
        (150, 60, 90)
    );
    // The window continues.
    assert_eq!(budget.resets_at, resets);
    assert_eq!(scene.pay(90), Ok(()));
    assert_refused(scene.pay(1), &OVER);

    let other = Address::generate(&scene.env);
    let narrow = Limits {
        window: 7 * WINDOW,
        per_payment: Some(20),
        recipients: Some(vec![&scene.env, other.clone()]),
        payments: Some(4),
        ..Limits::sliding(1_000)
    };
    assert_eq!(by_owner(&scene, &policy, 1, narrow), Ok(()));
    assert_refused(scene.pay(1), &[3, 110]);
    let agent = [&scene.agent as &dyn Sign];
    assert_refused(scene.pay_to(&other, 21, &agent), &[2, 110]);
    // Two payments were made before, and count.
    assert_eq!(scene.pay_to(&other, 20, &agent), Ok(()));
    assert_eq!(scene.pay_to(&other, 1, &agent), Ok(()));
    assert_refused(scene.pay_to(&other, 1, &agent), &[7, 110]);
    assert_eq!(scene.spent(&policy), 171);
    let config = scene.config(&policy);
    assert_eq!(
        (config.revision, config.limit, config.window),
        (2, 1_000, 7 * WINDOW)
    );
    assert_eq!(
        (config.wallet, config.token),
        (scene.wallet.clone(), scene.token.clone())
    );
}

#[test]
fn a_stranger_cannot_change_limits() {
    let (scene, policy) = limited(Limits::of(100));
    let more = Limits::of(1_000);
    let arguments: Vec<Val> = more.clone().change(0).into_val(&scene.env);
    scene
        .invoke(&policy, "change_limits", arguments.clone(), &[])
        .expect_err("unsigned");
    // A key that is not a signer, a stranger's passkey, and a signature of another call.
    scene
        .change(&policy, 0, more.clone(), &[&Key::of(9)])
        .expect_err("a stranger's key");
    scene
        .change(&policy, 0, more.clone(), &[&Passkey::of(9)])
        .expect_err("a stranger's passkey");
    let root = invocation(&policy, "budget", ().into_val(&scene.env), &[]);
    let entry = scene.sign(root, &[&scene.owner]);
    scene
        .invoke(&policy, "change_limits", arguments.clone(), &[entry])
        .expect_err("another call");
    // An authorization by a stranger's own account changes nothing here.
    let own = scene.env.register(
        smart_account::SmartAccount,
        (Passkey::of(9).signer(&scene.env, FOR_EVER, OWNER),),
    );
    let mut theirs = scene.entry(
        invocation(&policy, "change_limits", arguments.clone(), &[]),
        |authorization| super::signing::signatures(&scene.env, authorization, &[&Passkey::of(9)]),
    );
    if let soroban_sdk::xdr::SorobanCredentials::Address(credentials) = &mut theirs.credentials {
        credentials.address = (&own).into();
    }
    scene
        .invoke(&policy, "change_limits", arguments, &[theirs])
        .expect_err("another account");
    assert_eq!(scene.budget(&policy).limit, 100);
}

#[test]
fn the_agent_cannot_raise_its_own_limit() {
    let (scene, policy) = limited(Limits::of(100));
    let more = || Limits::of(1_000);
    let agent = [&scene.agent as &dyn Sign];
    assert_refused(scene.change(&policy, 0, more(), &agent), &NOBODY_COVERS);
    // Neither below a payment, nor where a grant names the policy's own contract, whether the grant requires no one
    // else, the policy, or another key that signs too.
    let below = invocation(
        &policy,
        "change_limits",
        more().change(0).into_val(&scene.env),
        &[],
    );
    let payment = (&scene.wallet, &scene.to, 1i128);
    scene
        .call(&scene.token, "transfer", payment, &[below], &agent)
        .expect_err("below a payment");
    let helper = Key::of(3);
    scene
        .add_signer(helper.signer(&scene.env, FOR_EVER, scene.grants(&[])))
        .expect("added");
    let grants: [&[account_interface::SignerKey]; 3] = [
        &[],
        &[account_interface::SignerKey::Policy(policy.clone())],
        &[helper.key(&scene.env)],
    ];
    for approvers in grants {
        let limits = scene.grants(&[(&policy, approvers)]);
        let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
        scene
            .manage("update_signer", (signer,), &[&scene.owner])
            .expect("updated");
        let both: [&dyn Sign; 2] = [&scene.agent, &helper];
        for signers in [&agent[..], &both[..]] {
            assert_refused(scene.change(&policy, 0, more(), signers), &NOBODY_COVERS);
        }
    }
    assert_eq!(scene.budget(&policy).limit, 100);
}

// A grant that requires no one else covers other contracts as before.
#[test]
fn a_grant_still_covers_a_contract_that_is_not_a_policy_of_the_account() {
    let (scene, _) = limited(Limits::of(100));
    let limits = scene.grants(&[(&scene.token, &[])]);
    let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
    scene
        .manage("update_signer", (signer,), &[&scene.owner])
        .expect("updated");
    assert_eq!(scene.pay(500), Ok(()));
}

#[test]
fn an_old_change_cannot_be_replayed() {
    let (scene, policy) = limited(Limits::of(100));
    let signed = |revision: u32, limits: Limits| {
        let arguments: Vec<Val> = limits.change(revision).into_val(&scene.env);
        let root = invocation(&policy, "change_limits", arguments.clone(), &[]);
        (arguments, scene.sign(root, &[&scene.owner]))
    };
    let (arguments, entry) = signed(0, Limits::of(500));
    let (kept_back, kept_entry) = signed(0, Limits::of(900));
    let again = || {
        scene.invoke(
            &policy,
            "change_limits",
            arguments.clone(),
            std::slice::from_ref(&entry),
        )
    };
    assert_eq!(again(), Ok(()));
    again().expect_err("its nonce is spent");
    // A change that was signed before, and is presented later.
    assert_refused(
        scene.invoke(&policy, "change_limits", kept_back, &[kept_entry]),
        &OUTDATED,
    );
    for revision in [0, 2, u32::MAX] {
        assert_refused(
            by_owner(&scene, &policy, revision, Limits::of(900)),
            &OUTDATED,
        );
    }
    assert_eq!(by_owner(&scene, &policy, 1, Limits::of(100)), Ok(()));
    again().expect_err("its nonce is spent");
    assert_eq!(scene.budget(&policy).limit, 100);
}

#[test]
fn a_change_of_one_policy_does_not_change_another() {
    let (scene, policy) = limited(Limits::of(100));
    let other = scene.spending_limit(100);
    scene.add_policy(&other).expect("attached");
    let arguments: Vec<Val> = Limits::of(500).change(0).into_val(&scene.env);
    let root = invocation(&other, "change_limits", arguments.clone(), &[]);
    let entry = scene.sign(root, &[&scene.owner]);
    scene
        .invoke(&policy, "change_limits", arguments, &[entry])
        .expect_err("signed for another policy");
    assert_eq!(scene.budget(&policy).limit, 100);
}

#[test]
fn a_limit_below_what_was_spent_leaves_nothing_until_the_window_is_over() {
    for limits in [Limits::of, Limits::sliding] {
        let (scene, policy) = limited(limits(100));
        assert_eq!(scene.pay(80), Ok(()));
        assert_eq!(by_owner(&scene, &policy, 0, limits(50)), Ok(()));
        let budget = scene.budget(&policy);
        assert_eq!((budget.spent, budget.remaining), (80, 0));
        assert_refused(scene.pay(1), &OVER);
        assert_refused(scene.settle(&scene.terms(1, 1), 0), &OVER);
        scene.pass(WINDOW + WINDOW / 12);
        assert_refused(scene.pay(51), &OVER);
        assert_eq!(scene.pay(50), Ok(()));
        // The same for a number of payments below those already made.
        let few = |payments| Limits {
            payments: Some(payments),
            ..limits(50)
        };
        scene.pass(2 * WINDOW);
        assert_eq!(by_owner(&scene, &policy, 1, few(5)), Ok(()));
        for _ in 0..3 {
            assert_eq!(scene.pay(1), Ok(()));
        }
        assert_eq!(by_owner(&scene, &policy, 2, few(2)), Ok(()));
        assert_eq!(scene.budget(&policy).payments_left, Some(0));
        assert_refused(scene.pay(1), &[7, 110]);
    }
}

#[test]
fn what_was_spent_still_counts_in_another_kind_of_window() {
    let (scene, policy) = limited(Limits::of(100));
    assert_eq!(scene.pay(60), Ok(()));
    scene.pass(WINDOW - 5);
    // The limits change just before the amount would come back, so it counts for a whole window of the other kind.
    assert_eq!(by_owner(&scene, &policy, 0, Limits::sliding(100)), Ok(()));
    scene.pass(5);
    assert_refused(scene.pay(41), &OVER);
    scene.pass(WINDOW - 10);
    assert_eq!(scene.spent(&policy), 60);
    let week = Limits {
        window: 7 * WINDOW,
        ..Limits::of(100)
    };
    assert_eq!(by_owner(&scene, &policy, 1, week.clone()), Ok(()));
    scene.pass(7 * WINDOW - 5);
    assert_eq!(scene.spent(&policy), 60);
    let counted = Limits {
        payments: Some(1),
        ..week
    };
    assert_eq!(by_owner(&scene, &policy, 2, counted), Ok(()));
    // The earlier payment counts as one.
    assert_eq!(scene.budget(&policy).payments_left, Some(0));
    assert_eq!(scene.spent(&policy), 60);
}

#[test]
fn a_change_in_the_last_second_of_a_window_and_in_the_next() {
    let (scene, policy) = limited(Limits::of(100));
    assert_eq!(scene.pay(100), Ok(()));
    scene.pass(WINDOW - 5);
    assert_eq!(by_owner(&scene, &policy, 0, Limits::of(101)), Ok(()));
    assert_eq!(scene.budget(&policy).remaining, 1);
    scene.pass(5);
    // The window that is over does not continue.
    assert_eq!(by_owner(&scene, &policy, 1, Limits::of(100)), Ok(()));
    assert_eq!(scene.budget(&policy).remaining, 100);
    assert_eq!(scene.budget(&policy).resets_at, None);
}

#[test]
fn the_largest_limits_do_not_wrap() {
    let (scene, policy) = limited(Limits::of(100));
    assert_eq!(scene.pay(100), Ok(()));
    let most = Limits {
        window: u64::MAX,
        per_payment: Some(i128::MAX),
        payments: Some(u32::MAX),
        ..Limits::sliding(i128::MAX)
    };
    assert_eq!(by_owner(&scene, &policy, 0, most), Ok(()));
    assert_refused(scene.pay(i128::MAX), &OVER);
    assert_refused(scene.pay(i128::MAX - 99), &OVER);
    assert_eq!(scene.budget(&policy).remaining, i128::MAX - 100);
    assert_eq!(scene.pay(1), Ok(()));
    assert_eq!(by_owner(&scene, &policy, 1, Limits::of(1)), Ok(()));
    assert_eq!(scene.budget(&policy).remaining, 0);
}

#[test]
fn a_change_to_invalid_limits_is_refused() {
    let (scene, policy) = limited(Limits::of(100));
    let list = |addresses: &[&Address]| {
        let mut list = Vec::new(&scene.env);
        for address in addresses {
            list.push_back((*address).clone());
        }
        Some(list)
    };
    let with = |change: &dyn Fn(&mut Limits)| {
        let mut limits = Limits::of(100);
        change(&mut limits);
        limits
    };
    let many: std::vec::Vec<Address> = (0..21).map(|_| Address::generate(&scene.env)).collect();
    let many: std::vec::Vec<&Address> = many.iter().collect();
    let wrong = [
        with(&|it| it.limit = 0),
        with(&|it| it.limit = -1),
        with(&|it| it.limit = i128::MIN),
        with(&|it| it.window = 0),
        with(&|it| it.per_payment = Some(0)),
        with(&|it| it.per_payment = Some(-1)),
        with(&|it| it.per_payment = Some(101)),
        with(&|it| it.payments = Some(0)),
        with(&|it| it.recipients = list(&[])),
        with(&|it| it.recipients = list(&[&scene.wallet])),
        with(&|it| it.recipients = list(&many)),
    ];
    for limits in wrong {
        assert_refused(by_owner(&scene, &policy, 0, limits), &INVALID);
    }
    assert_eq!(scene.budget(&policy).limit, 100);
    assert_eq!(scene.pay(100), Ok(()));
}

// A reservation belongs to its ledger: a change before its release does not give back more than what counts.
#[test]
fn a_change_between_a_reservation_and_its_release_frees_no_more_than_was_spent() {
    let (scene, policy) = limited(Limits::of(100));
    let terms = scene.terms(60, 1);
    super::budget::reserve(&scene, &policy, &terms);
    assert_eq!(by_owner(&scene, &policy, 0, Limits::sliding(50)), Ok(()));
    let released = SpendingLimitClient::new(&scene.env, &policy)
        .mock_all_auths()
        .try_release(&scene.wallet, &terms.nonce, &0);
    assert_eq!(released, Ok(Ok(())));
    assert!((0..=60).contains(&scene.spent(&policy)));
    let again = SpendingLimitClient::new(&scene.env, &policy)
        .mock_all_auths()
        .try_release(&scene.wallet, &terms.nonce, &0);
    assert_eq!(again, Ok(Ok(())));
    assert!(scene.spent(&policy) >= 0);
}

// An account can also change a policy that is not attached or was removed.
#[test]
fn an_account_can_change_its_policy_whether_or_not_it_is_attached() {
    let scene = Scene::new();
    let policy = scene.made_limit(Limits::of(100));
    assert_eq!(by_owner(&scene, &policy, 0, Limits::of(200)), Ok(()));
    let unsigned = SpendingLimitClient::new(&scene.env, &policy)
        .set_auths(&[])
        .try_change_limits(&1, &300, &WINDOW, &None, &None, &None, &false);
    assert!(unsigned.is_err());
    let outdated = SpendingLimitClient::new(&scene.env, &policy)
        .mock_all_auths()
        .try_change_limits(&0, &300, &WINDOW, &None, &None, &None, &false);
    assert_eq!(outdated, Err(Ok(Error::Outdated)));
    assert_eq!(scene.budget(&policy).limit, 200);
}
