//! Adding, updating and removing signers, and what must never be lost.

use account_interface::{
    Signer, SignerExpiration, SignerKey, SignerLimits, SignerStorage, SignerVal,
};
use soroban_sdk::{testutils::Address as _, vec, Address, Map};
use test_support::{pass_ledgers, Key};

use super::{
    scene::{assert_refused, Scene, ANYBODY, ANY_AMOUNT, ANY_NUMBER, FIXED},
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

// Pitfall 6, known from older accounts: an update without authorization.
#[test]
fn nothing_in_the_account_changes_without_a_signature() {
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
    let nobody: soroban_sdk::Vec<SignerKey> = vec![&scene.env];
    let change = (nobody, vec![&scene.env, signer]);
    let arguments = soroban_sdk::IntoVal::into_val(&change, &scene.env);
    scene
        .invoke(&scene.wallet, "change_signers", arguments, &[])
        .expect_err("unsigned");
    let hash = soroban_sdk::BytesN::from_array(&scene.env, &[1; 32]);
    let arguments = soroban_sdk::IntoVal::into_val(&(hash,), &scene.env);
    scene
        .invoke(&scene.wallet, "upgrade", arguments, &[])
        .expect_err("unsigned");
}

// Pitfall 8.
#[test]
fn the_last_lasting_owner_cannot_be_removed() {
    let scene = Scene::new();
    let owner = scene.owner.key(&scene.env);
    let remove = || scene.manage("remove_signer", (owner.clone(),), &[&scene.owner]);
    assert_refused(remove(), &[104]);

    // A limited key, an owner that expires and an owner in temporary storage do not replace it.
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
fn a_new_account_needs_a_lasting_owner() {
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
fn an_update_changes_a_signers_value_and_storage() {
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
    // It was moved, not copied.
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

// Pitfall 2: anyone can extend an entry's lifetime; the expiration is the one stored in the entry.
#[test]
fn extending_an_entry_does_not_extend_its_signer() {
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
fn an_expired_policy_approves_nothing() {
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

// C1: five lapsed policies used to fill the account's slots permanently.
#[test]
fn policies_that_have_lapsed_free_their_slots() {
    let scene = Scene::new();
    let made: std::vec::Vec<Address> = (0..8).map(|_| scene.spending_limit(1)).collect();
    let last = scene.env.ledger().sequence() + 1_000;
    let ending = |policy: &Address, storage: SignerStorage| {
        let end = SignerExpiration(Some(last));
        Signer::Policy(policy.clone(), end, nothing(&scene), storage)
    };
    for policy in &made[..4] {
        let passing = ending(policy, SignerStorage::Temporary);
        scene.add_signer(passing).expect("attached");
    }
    let stored = ending(&made[4], SignerStorage::Persistent);
    scene.add_signer(stored).expect("attached");
    pass_ledgers(&scene.env, 1_000);
    assert_refused(scene.add_policy(&made[5]), &[105]);
    pass_ledgers(&scene.env, 1);
    let key = SignerKey::Policy(made[0].clone());
    assert_eq!(scene.account().get_signer(&key), None);

    // The owner removes one explicitly; the others lose their slots when a new policy needs one.
    let remove = |key: &SignerKey| scene.manage("remove_signer", (key.clone(),), &[&scene.owner]);
    assert_eq!(remove(&key), Ok(()));
    assert_eq!(scene.events(), ["signer_removed"]);
    assert_refused(remove(&key), &[100]);
    for policy in &made[5..8] {
        scene.add_policy(policy).expect("attached");
    }
    // A lapsed policy is attached again, and one that lost its slot is listed again with a new expiration.
    scene.add_policy(&made[1]).expect("attached again");
    let renewed = scene.policy_signer(&made[4]);
    assert_eq!(
        scene.manage("update_signer", (renewed,), &[&scene.owner]),
        Ok(())
    );
    let policies = scene.account().policies();
    assert_eq!(policies.len(), 5);
    for policy in [&made[1], &made[4], &made[5], &made[6], &made[7]] {
        assert!(policies.contains(policy));
    }
    assert_refused(scene.add_policy(&made[2]), &[105]);
}

// An attacker cannot take a slot: a policy that is still valid never loses its own.
#[test]
fn a_valid_policy_keeps_its_slot() {
    let scene = Scene::new();
    let made: std::vec::Vec<Address> = (0..6).map(|_| scene.spending_limit(100)).collect();
    let last = scene.env.ledger().sequence() + 1_000;
    let passing = |policy: &Address, last: Option<u32>| {
        let end = SignerExpiration(last);
        Signer::Policy(
            policy.clone(),
            end,
            nothing(&scene),
            SignerStorage::Temporary,
        )
    };
    scene
        .add_signer(passing(&made[0], None))
        .expect("attached without an end");
    for policy in &made[1..5] {
        let ending = passing(policy, Some(last));
        scene.add_signer(ending).expect("attached");
    }
    scene.grant(&scene.payments(&[&made[0]]));
    // Anyone can extend an entry's lifetime: an expired policy loses its slot, one without an expiration keeps it.
    scene.env.as_contract(&scene.wallet, || {
        for policy in &made[..2] {
            let key = SignerKey::Policy(policy.clone());
            let entries = scene.env.storage().temporary();
            entries.extend_ttl(&key, 600_000, 600_000);
        }
    });
    pass_ledgers(&scene.env, 550_000);
    scene.add_policy(&made[5]).expect("attached");
    assert_eq!(
        scene.account().policies(),
        vec![&scene.env, made[0].clone(), made[5].clone()]
    );
    assert_eq!(scene.pay(100), Ok(()));
    assert_refused(scene.pay(1), &[1, 110]);
}

/// Owners for whom no one can sign.
fn nobodys(env: &soroban_sdk::Env) -> [Signer; 4] {
    let ed25519 = |bytes: [u8; 32]| {
        let key = soroban_sdk::BytesN::from_array(env, &bytes);
        Signer::Ed25519(
            key,
            SignerExpiration(None),
            OWNER,
            SignerStorage::Persistent,
        )
    };
    let passkey = |bytes: [u8; 65]| {
        let id = soroban_sdk::Bytes::from_array(env, &[9; 20]);
        let key = soroban_sdk::BytesN::from_array(env, &bytes);
        let for_ever = SignerExpiration(None);
        Signer::Secp256r1(id, key, for_ever, OWNER, SignerStorage::Persistent)
    };
    let mut two = [0; 32];
    two[0] = 2; // no point of the curve has this y
    let mut point = Passkey::of(9).public(env).to_array();
    point[64] ^= 1;
    [
        ed25519([0; 32]),
        ed25519(two),
        passkey([0; 65]),
        passkey(point),
    ]
}

// C2: the last real owner could remove itself if the account also had a key that no one holds.
#[test]
fn an_owner_counts_only_if_it_can_sign() {
    for at in 0..4 {
        let scene = Scene::new();
        let signer = nobodys(&scene.env)[at].clone();
        let (key, ..) = signer.clone().parts();
        let owner = scene.owner.key(&scene.env);
        let remove =
            |key: &SignerKey| scene.manage("remove_signer", (key.clone(),), &[&scene.owner]);
        scene.add_signer(signer.clone()).expect("added");
        assert_refused(remove(&owner), &[103]);
        for demoted in [
            scene.owner.signer(&scene.env, FOR_EVER, nothing(&scene)),
            scene.owner.signer(&scene.env, Some(2_000_000), OWNER),
        ] {
            let update = scene.manage("update_signer", (demoted,), &[&scene.owner]);
            assert_refused(update, &[103]);
        }
        let removed = vec![&scene.env, owner.clone()];
        let swap = (
            removed,
            vec![
                &scene.env,
                Key::of(6).signer(&scene.env, Some(2_000_000), OWNER),
            ],
        );
        assert_refused(
            scene.manage("change_signers", swap, &[&scene.owner]),
            &[103],
        );
        // It can be removed again, and then a real owner allows the removal of the first one.
        assert_eq!(remove(&key), Ok(()));
        let second = kept(&scene, &Key::of(5), None, SignerStorage::Persistent);
        scene.add_signer(second).expect("added");
        assert_eq!(remove(&owner), Ok(()));
    }
}

#[test]
fn no_account_begins_with_an_owner_that_cannot_sign() {
    for at in 0..4 {
        let scene = Scene::new();
        let signer = nobodys(&scene.env)[at].clone();
        let register = || scene.env.register(smart_account::SmartAccount, (signer,));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(register)).expect_err("refused");
    }
}

#[test]
fn every_key_that_signs_is_counted() {
    for seed in 8..40 {
        let scene = Scene::new();
        let owner = scene.owner.key(&scene.env);
        let key = Key::of(seed);
        let passkey = Passkey::of(seed);
        let by_key = kept(&scene, &key, None, SignerStorage::Persistent);
        scene.add_signer(by_key).expect("added");
        let removed = scene.manage("remove_signer", (owner,), &[&scene.owner]);
        assert_eq!(removed, Ok(()), "key {seed}");
        let by_passkey = passkey.signer(&scene.env, FOR_EVER, OWNER);
        let added = scene.manage("add_signer", (by_passkey,), &[&key]);
        assert_eq!(added, Ok(()), "passkey {seed}");
        let removed = scene.manage("remove_signer", (key.key(&scene.env),), &[&passkey]);
        assert_eq!(removed, Ok(()), "passkey {seed}");
    }
}

// Another module, such as passkey-kit's, stored the signers but no list of the lasting ones.
#[test]
fn an_account_created_by_another_module_never_loses_its_last_known_owner() {
    let scene = Scene::new();
    let second = Key::of(5);
    scene
        .add_signer(kept(&scene, &second, None, SignerStorage::Persistent))
        .expect("added");
    scene.env.as_contract(&scene.wallet, || {
        let instance = scene.env.storage().instance();
        instance.remove(&soroban_sdk::symbol_short!("kept"));
    });
    // A change that does not remove an owner is allowed.
    scene.grant(&nothing(&scene));
    let agent = scene.agent.key(&scene.env);
    let owner = scene.owner.key(&scene.env);
    let remove = |key: &SignerKey| scene.manage("remove_signer", (key.clone(),), &[&scene.owner]);
    assert_eq!(remove(&agent), Ok(()));
    // An owner can be removed only if another is known to remain. Writing an owner again makes it known.
    let second_key = second.key(&scene.env);
    assert_refused(remove(&second_key), &[104]);
    let again = scene.owner.signer(&scene.env, FOR_EVER, OWNER);
    assert_eq!(
        scene.manage("update_signer", (again,), &[&scene.owner]),
        Ok(())
    );
    assert_eq!(remove(&second_key), Ok(()));
    assert_refused(remove(&owner), &[104]);
    let third = kept(&scene, &Key::of(6), None, SignerStorage::Persistent);
    scene.add_signer(third).expect("added");
    assert_eq!(remove(&owner), Ok(()));
}

// C6: an agent that is its own co-signer is not limited by anyone.
#[test]
fn a_key_is_not_its_own_co_signer() {
    let scene = Scene::new();
    let own = [scene.agent.key(&scene.env)];
    let other = [Key::of(11).key(&scene.env)];
    let both = [&other[..], &own[..]].concat();
    let refused = |limits: SignerLimits| {
        let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
        assert_refused(scene.add_signer(signer.clone()), &[107]);
        let nobody: soroban_sdk::Vec<SignerKey> = vec![&scene.env];
        let change = (nobody, vec![&scene.env, signer]);
        assert_refused(
            scene.manage("change_signers", change, &[&scene.owner]),
            &[107],
        );
    };
    refused(scene.grants(&[(&scene.token, &own)]));
    // Neither along with others, nor in one of several grants.
    refused(scene.grants(&[(&scene.token, &both)]));
    refused(scene.grants(&[
        (&scene.token, &other),
        (&scene.upto, &own),
        (&scene.to, &[]),
    ]));
    scene.grant(&nothing(&scene));
    let limits = scene.grants(&[(&scene.token, &own)]);
    let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
    let update = scene.manage("update_signer", (signer,), &[&scene.owner]);
    assert_refused(update, &[107]);
    assert_refused(scene.pay(1), &[110]);
}

// Earlier modules accepted such a grant.
#[test]
fn a_stored_grant_in_which_a_key_co_signs_for_itself_covers_nothing() {
    let scene = Scene::new();
    scene.grant(&scene.grants(&[(&scene.token, &[])]));
    assert_eq!(scene.pay(1), Ok(()));
    let own = scene.agent.key(&scene.env);
    let limits = scene.grants(&[(&scene.token, std::slice::from_ref(&own))]);
    let stored = SignerVal::Ed25519(SignerExpiration(None), limits);
    scene.env.as_contract(&scene.wallet, || {
        scene.env.storage().persistent().set(&own, &stored);
    });
    assert_refused(scene.pay(1), &[110]);
}

#[test]
fn two_keys_that_co_sign_for_each_other_pay_only_together() {
    let scene = Scene::new();
    let second = Key::of(12);
    let with = |other: &Key| scene.grants(&[(&scene.token, &[other.key(&scene.env)])]);
    let first = scene.agent.signer(&scene.env, FOR_EVER, with(&second));
    scene.add_signer(first).expect("added");
    let other = second.signer(&scene.env, FOR_EVER, with(&scene.agent));
    scene.add_signer(other).expect("added");
    assert_refused(scene.pay(1), &[110]);
    assert_refused(scene.pay_to(&scene.to, 1, &[&second]), &[110]);
    assert_eq!(scene.pay_to(&scene.to, 1, &[&scene.agent, &second]), Ok(()));
}

type LimitTerms<'a> = (
    &'a Address,
    &'a Address,
    Option<Address>,
    i128,
    u64,
    Option<i128>,
    Option<soroban_sdk::Vec<Address>>,
    Option<u32>,
    bool,
);

/// The constructor arguments of another account's spending limit.
fn foreign_terms<'a>(scene: &'a Scene, other: &'a Address) -> LimitTerms<'a> {
    (
        other,
        &scene.token,
        None,
        1,
        1,
        ANY_AMOUNT,
        ANYBODY,
        ANY_NUMBER,
        FIXED,
    )
}

#[test]
fn another_accounts_policy_cannot_be_attached() {
    let scene = Scene::new();
    let other = Address::generate(&scene.env);
    let policy = scene
        .env
        .register(spending_limit::SpendingLimit, foreign_terms(&scene, &other));
    assert_refused(scene.add_policy(&policy), &[5]);
    assert_eq!(scene.account().policies(), vec![&scene.env]);
}

#[test]
fn a_grant_lists_at_most_five_approvers() {
    let scene = Scene::new();
    let keys: std::vec::Vec<SignerKey> =
        (10..16).map(|seed| Key::of(seed).key(&scene.env)).collect();
    let limits = scene.grants(&[(&scene.token, &keys)]);
    let signer = scene.agent.signer(&scene.env, FOR_EVER, limits);
    assert_refused(scene.add_signer(signer), &[106]);
}

#[test]
fn attaching_a_policy_again_does_not_reset_what_was_spent() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(70), Ok(()));
    let key = SignerKey::Policy(policy.clone());
    let removed = scene.manage("remove_signer", (key,), &[&scene.owner]);
    assert_eq!(removed, Ok(()));
    scene.add_policy(&policy).expect("attached");
    assert_eq!(scene.spent(&policy), 70);
    assert_refused(scene.pay(31), &[1, 110]);
}

// One signature gives an agent its policy and its key, replaces the key, and revokes both.
#[test]
fn one_signature_changes_several_signers() {
    let scene = Scene::new();
    let policy = scene.spending_limit(100);
    let agent = |key: &Key| key.signer(&scene.env, FOR_EVER, scene.payments(&[&policy]));
    let change = |remove: soroban_sdk::Vec<SignerKey>, add: soroban_sdk::Vec<Signer>| {
        scene.manage("change_signers", (remove, add), &[&scene.owner])
    };
    let both = vec![
        &scene.env,
        scene.policy_signer(&policy),
        agent(&scene.agent),
    ];
    assert_eq!(change(vec![&scene.env], both.clone()), Ok(()));
    assert_eq!(scene.pay(60), Ok(()));
    assert_refused(scene.pay(41), &[1, 110]);

    let next = Key::of(30);
    let old = scene.agent.key(&scene.env);
    let replaced = change(
        vec![&scene.env, old.clone()],
        vec![&scene.env, agent(&next)],
    );
    assert_eq!(replaced, Ok(()));
    assert_refused(scene.pay(1), &[100]);
    assert_eq!(scene.pay_to(&scene.to, 40, &[&next]), Ok(()));

    let policy_key = SignerKey::Policy(policy.clone());
    let gone = vec![&scene.env, next.key(&scene.env), policy_key];
    assert_eq!(change(gone, vec![&scene.env]), Ok(()));
    assert_refused(scene.pay_to(&scene.to, 1, &[&next]), &[100]);
    assert_eq!(scene.account().policies(), vec![&scene.env]);

    // All or nothing. The last owner stays, and the agent may not call it.
    let twice = vec![&scene.env, agent(&next), agent(&next)];
    assert_refused(change(vec![&scene.env], twice), &[101]);
    assert_eq!(scene.account().get_signer(&next.key(&scene.env)), None);
    let owner = vec![&scene.env, scene.owner.key(&scene.env)];
    assert_refused(change(owner, vec![&scene.env]), &[104]);
    assert_eq!(change(vec![&scene.env], both), Ok(()));
    let nobody: soroban_sdk::Vec<SignerKey> = vec![&scene.env];
    let more = vec![&scene.env, Key::of(31).signer(&scene.env, FOR_EVER, OWNER)];
    let by_agent = scene.manage("change_signers", (nobody, more), &[&scene.agent]);
    assert_refused(by_agent, &[110]);
}

#[test]
fn the_last_owner_is_replaced_by_one_signature() {
    let scene = Scene::new();
    let next = Passkey::of(8);
    let owner = scene.owner.key(&scene.env);
    let swap = |remove: &SignerKey, add: Signer| {
        let change = (vec![&scene.env, remove.clone()], vec![&scene.env, add]);
        scene.manage("change_signers", change, &[&scene.owner])
    };
    // Not with a signer that is limited, that expires, or that is in temporary storage.
    for less in [
        next.signer(&scene.env, FOR_EVER, nothing(&scene)),
        next.signer(&scene.env, Some(2_000_000), OWNER),
        kept(&scene, &Key::of(4), None, SignerStorage::Temporary),
    ] {
        swap(&owner, less).expect_err("the account would be lost");
    }
    let signer = next.signer(&scene.env, FOR_EVER, OWNER);
    assert_eq!(swap(&owner, signer), Ok(()));
    assert_eq!(scene.events(), ["signer_removed", "signer_added"]);
    assert_refused(scene.pay_to(&scene.to, 1, &[&scene.owner]), &[100]);
    assert_eq!(scene.pay_to(&scene.to, 1, &[&next]), Ok(()));
    let removed = scene.manage("remove_signer", (next.key(&scene.env),), &[&next]);
    assert_refused(removed, &[104]);
}

#[test]
fn a_limited_key_cannot_change_signers_not_even_itself() {
    let (scene, policy) = Scene::limited(100);
    let none: soroban_sdk::Vec<SignerKey> = vec![&scene.env];
    let freed = scene.agent.signer(&scene.env, FOR_EVER, OWNER);
    let own = scene.agent.key(&scene.env);
    let limit = SignerKey::Policy(policy);
    for (remove, add) in [
        (vec![&scene.env, own.clone()], vec![&scene.env, freed]),
        (vec![&scene.env, own], vec![&scene.env]),
        (vec![&scene.env, limit], vec![&scene.env]),
        (none, vec![&scene.env]),
    ] {
        let change = scene.manage("change_signers", (remove, add), &[&scene.agent]);
        assert_refused(change, &[110]);
    }
    // A signature of another change is not valid.
    let nobody: soroban_sdk::Vec<SignerKey> = vec![&scene.env];
    let harmless = vec![
        &scene.env,
        Key::of(40).signer(&scene.env, FOR_EVER, nothing(&scene)),
    ];
    let harm = vec![&scene.env, Key::of(40).signer(&scene.env, FOR_EVER, OWNER)];
    let signed = soroban_sdk::IntoVal::into_val(&(nobody.clone(), harmless), &scene.env);
    let root = test_support::invocation(&scene.wallet, "change_signers", signed, &[]);
    let entry = scene.sign(root, &[&scene.owner]);
    let presented = soroban_sdk::IntoVal::into_val(&(nobody, harm), &scene.env);
    scene
        .invoke(&scene.wallet, "change_signers", presented, &[entry])
        .expect_err("another change was signed");
}

#[test]
fn a_policy_that_refuses_undoes_the_whole_change() {
    let (scene, policy) = Scene::limited(100);
    let other = Address::generate(&scene.env);
    let terms = foreign_terms(&scene, &other);
    let foreign = scene.env.register(spending_limit::SpendingLimit, terms);
    let change = (
        vec![&scene.env, SignerKey::Policy(policy.clone())],
        vec![&scene.env, scene.policy_signer(&foreign)],
    );
    assert_refused(
        scene.manage("change_signers", change, &[&scene.owner]),
        &[5],
    );
    assert_eq!(scene.account().policies(), vec![&scene.env, policy]);
    assert_eq!(scene.pay(100), Ok(()));
    assert_refused(scene.pay(1), &[1, 110]);
}
