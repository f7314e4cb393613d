//! Adding, updating and removing signers, and what is never lost by it.

use account_interface::{
    Signer, SignerExpiration, SignerKey, SignerLimits, SignerStorage, SignerVal,
};
use soroban_sdk::{testutils::Address as _, vec, Address, Map};
use test_support::{pass_ledgers, Key};

use super::{
    scene::{assert_refused, Scene},
    signing::{Passkey, Sign, FOR_EVER, OWNER},
};

fn nothing(scene: &Scene) -> SignerLimits {
    SignerLimits(Some(Map::new(&scene.env)))
}

fn kept(scene: &Scene, key: &Key, last: Option<u32>, storage: SignerStorage) -> Signer {
    let public = key.public_in(&scene.env);
    Signer::Ed25519(public, SignerExpiration(last), OWNER, storage)
}

#[test]
fn an_owner_adds_and_removes_owners() {
    let scene = Scene::new();
    let second = Passkey::of(8);
    let signer = second.signer(&scene.env, FOR_EVER, OWNER);
    scene.add_signer(signer.clone()).expect("added");
    assert_eq!(scene.events(), ["signer_added"]);
    assert_eq!(
        scene.account().get_signer(&second.key(&scene.env)),
        Some(SignerVal::Secp256r1(
            second.public(&scene.env),
            SignerExpiration(None),
            OWNER
        ))
    );
    assert_refused(scene.add_signer(signer), &[101]);
    let first = scene.owner.key(&scene.env);
    assert_eq!(
        scene.manage("remove_signer", (first.clone(),), &[&second]),
        Ok(())
    );
    assert_eq!(scene.account().get_signer(&first), None);
    assert_refused(scene.manage("remove_signer", (first,), &[&second]), &[100]);
}

// Pitfall 6, known of older accounts: an update without authorization.
#[test]
fn nothing_of_the_account_is_changed_without_a_signature() {
    let scene = Scene::new();
    let signer = Key::of(3).signer(&scene.env, FOR_EVER, OWNER);
    for function in ["add_signer", "update_signer"] {
        let arguments = soroban_sdk::IntoVal::into_val(&(signer.clone(),), &scene.env);
        scene
            .invoke(&scene.wallet, function, arguments, &[])
            .expect_err("unsigned");
    }
    let key = scene.owner.key(&scene.env);
    let arguments = soroban_sdk::IntoVal::into_val(&(key,), &scene.env);
    scene
        .invoke(&scene.wallet, "remove_signer", arguments, &[])
        .expect_err("unsigned");
    let hash = soroban_sdk::BytesN::from_array(&scene.env, &[1; 32]);
    let arguments = soroban_sdk::IntoVal::into_val(&(hash,), &scene.env);
    scene
        .invoke(&scene.wallet, "upgrade", arguments, &[])
        .expect_err("unsigned");
}

// Pitfall 8.
#[test]
fn the_last_lasting_owner_stays() {
    let scene = Scene::new();
    let owner = scene.owner.key(&scene.env);
    let remove = || scene.manage("remove_signer", (owner.clone(),), &[&scene.owner]);
    assert_refused(remove(), &[104]);

    // Neither a limited key, nor an owner with an end, nor one that may be forgotten makes up for it.
    scene.grant(&nothing(&scene));
    assert_refused(remove(), &[103]);
    let until = Some(scene.env.ledger().sequence() + 1_000);
    let ending = kept(&scene, &Key::of(3), until, SignerStorage::Persistent);
    scene.add_signer(ending).expect("added");
    let passing = kept(&scene, &Key::of(4), None, SignerStorage::Temporary);
    scene.add_signer(passing).expect("added");
    assert_refused(remove(), &[103]);
    for demoted in [
        scene.owner.signer(&scene.env, FOR_EVER, nothing(&scene)),
        scene.owner.signer(&scene.env, until, OWNER),
    ] {
        let update = scene.manage("update_signer", (demoted,), &[&scene.owner]);
        assert_refused(update, &[103]);
    }

    let lasting = kept(&scene, &Key::of(5), None, SignerStorage::Persistent);
    scene.add_signer(lasting).expect("added");
    assert_eq!(remove(), Ok(()));
}

#[test]
fn an_account_begins_with_a_lasting_owner() {
    let begins = |signer: fn(&Scene) -> Signer| {
        let scene = Scene::new();
        let signer = signer(&scene);
        let register = || scene.env.register(smart_account::SmartAccount, (signer,));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(register)).is_ok()
    };
    assert!(begins(
        |scene| Key::of(1).signer(&scene.env, FOR_EVER, OWNER)
    ));
    assert!(!begins(|scene| Key::of(1).signer(
        &scene.env,
        Some(2_000_000),
        OWNER
    )));
    assert!(!begins(|scene| Key::of(1).signer(
        &scene.env,
        FOR_EVER,
        nothing(scene)
    )));
    assert!(!begins(|scene| kept(
        scene,
        &Key::of(1),
        None,
        SignerStorage::Temporary
    )));
    assert!(!begins(
        |scene| scene.policy_signer(&scene.spending_limit(1))
    ));
}

#[test]
fn a_signer_is_updated_in_value_and_place() {
    let scene = Scene::new();
    scene.grant(&nothing(&scene));
    let update = |signer: Signer| scene.manage("update_signer", (signer,), &[&scene.owner]);
    let moved = Signer::Ed25519(
        scene.agent.public_in(&scene.env),
        SignerExpiration(None),
        scene.grants(&[(&scene.token, &[])]),
        SignerStorage::Temporary,
    );
    assert_eq!(update(moved), Ok(()));
    assert_eq!(scene.events(), ["signer_updated"]);
    assert_eq!(scene.pay(1), Ok(()));
    let unknown = Key::of(9).signer(&scene.env, FOR_EVER, OWNER);
    assert_refused(update(unknown), &[100]);
    // It moved, and is not there twice.
    let key = scene.agent.key(&scene.env);
    assert_eq!(
        scene.manage("remove_signer", (key.clone(),), &[&scene.owner]),
        Ok(())
    );
    assert_eq!(scene.account().get_signer(&key), None);
}

#[test]
fn a_signer_counts_up_to_its_last_ledger_and_not_after() {
    let scene = Scene::new();
    let last = scene.env.ledger().sequence() + 100;
    let limits = scene.grants(&[(&scene.token, &[])]);
    scene
        .add_signer(scene.agent.signer(&scene.env, Some(last), limits))
        .expect("added");
    pass_ledgers(&scene.env, 100);
    assert_eq!(scene.pay(1), Ok(()));
    pass_ledgers(&scene.env, 1);
    assert_refused(scene.pay(1), &[102]);
}

// Pitfall 2: anybody prolongs an entry's life; the end is what the entry says.
#[test]
fn an_entry_that_lives_on_does_not_prolong_its_signer() {
    let scene = Scene::new();
    let last = scene.env.ledger().sequence() + 100;
    let signer = Signer::Ed25519(
        scene.agent.public_in(&scene.env),
        SignerExpiration(Some(last)),
        scene.grants(&[(&scene.token, &[])]),
        SignerStorage::Temporary,
    );
    scene.add_signer(signer).expect("added");
    let key = scene.agent.key(&scene.env);
    scene.env.as_contract(&scene.wallet, || {
        scene
            .env
            .storage()
            .temporary()
            .extend_ttl(&key, 10_000, 10_000);
    });
    pass_ledgers(&scene.env, 101);
    assert!(scene.account().get_signer(&key).is_some());
    assert_refused(scene.pay(1), &[102]);
}

#[test]
fn a_policy_past_its_end_agrees_to_nothing() {
    let scene = Scene::new();
    let policy = scene.spending_limit(1_000);
    let last = scene.env.ledger().sequence() + 100;
    let ending = Signer::Policy(
        policy.clone(),
        SignerExpiration(Some(last)),
        nothing(&scene),
        SignerStorage::Persistent,
    );
    scene.add_signer(ending).expect("attached");
    scene.grant(&scene.payments(&[&policy]));
    pass_ledgers(&scene.env, 100);
    assert_eq!(scene.pay(1), Ok(()));
    pass_ledgers(&scene.env, 1);
    assert_refused(scene.pay(1), &[110]);
}

#[test]
fn policies_are_listed_in_order_and_at_most_five() {
    let scene = Scene::new();
    let made: std::vec::Vec<Address> = (0..6).map(|_| scene.spending_limit(1)).collect();
    for policy in &made[..5] {
        scene.add_policy(policy).expect("attached");
    }
    assert_refused(scene.add_policy(&made[5]), &[105]);
    let removed = scene.manage(
        "remove_signer",
        (SignerKey::Policy(made[1].clone()),),
        &[&scene.owner],
    );
    assert_eq!(removed, Ok(()));
    let policies = |listed: &[usize]| {
        let mut expected = vec![&scene.env];
        listed
            .iter()
            .for_each(|at| expected.push_back(made[*at].clone()));
        expected
    };
    assert_eq!(scene.account().policies(), policies(&[0, 2, 3, 4]));
    scene.add_policy(&made[5]).expect("attached");
    assert_eq!(scene.account().policies(), policies(&[0, 2, 3, 4, 5]));
}

#[test]
fn a_policy_made_for_another_account_is_not_taken_up() {
    let scene = Scene::new();
    let other = Address::generate(&scene.env);
    let policy = scene.env.register(
        spending_limit::SpendingLimit,
        (&other, &scene.token, Option::<Address>::None, 1i128, 1u64),
    );
    assert_refused(scene.add_policy(&policy), &[5]);
    assert_eq!(scene.account().policies(), vec![&scene.env]);
}

#[test]
fn a_grant_lists_no_more_than_are_asked() {
    let scene = Scene::new();
    let keys: std::vec::Vec<SignerKey> =
        (10..16).map(|seed| Key::of(seed).key(&scene.env)).collect();
    let limits = scene.grants(&[(&scene.token, &keys)]);
    let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
    assert_refused(scene.add_signer(signer), &[106]);
}

#[test]
fn taking_a_policy_up_again_begins_nothing_anew() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(70), Ok(()));
    let key = SignerKey::Policy(policy.clone());
    let removed = scene.manage("remove_signer", (key,), &[&scene.owner]);
    assert_eq!(removed, Ok(()));
    scene.add_policy(&policy).expect("attached");
    assert_eq!(scene.spent(&policy), 70);
    assert_refused(scene.pay(31), &[1, 110]);
}
