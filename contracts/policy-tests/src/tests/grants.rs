//! A limited signer acts only where a grant allows it, and only if everyone that the grant lists agrees.

use account_interface::{Signature, Signatures, SignerKey, SignerLimits};
use smart_account::Error;
use soroban_sdk::{
    auth::{Context, ContractExecutable, CreateContractHostFnContext},
    vec, BytesN, IntoVal, Map,
};
use test_support::{invocation, Key};

use super::{
    scene::{assert_refused, Scene},
    signing::{in_ledger, Sign, FOR_EVER, OWNER},
};

const NO_ONE_COVERS: u32 = 110;

#[test]
fn an_owner_may_do_everything_without_a_policy() {
    let (scene, policy) = Scene::limited(10);
    assert_eq!(scene.pay_to(&scene.to, 500, &[&scene.owner]), Ok(()));
    assert_eq!(scene.spent(&policy), 0);
    // None is charged either when a limited key also signs.
    let both: [&dyn Sign; 2] = [&scene.agent, &scene.owner];
    assert_eq!(scene.pay_to(&scene.to, 500, &both), Ok(()));
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn an_empty_map_of_limits_allows_nothing() {
    let scene = Scene::new();
    scene.grant(&SignerLimits(Some(Map::new(&scene.env))));
    assert_refused(scene.pay(1), &[NO_ONE_COVERS]);
}

#[test]
fn a_contract_without_a_grant_cannot_be_called() {
    let scene = Scene::new();
    scene.grant(&scene.grants(&[(&scene.upto, &[])]));
    assert_refused(scene.pay(1), &[NO_ONE_COVERS]);
}

#[test]
fn a_grant_without_approvers_is_sufficient() {
    let scene = Scene::new();
    let mut grants = Map::new(&scene.env);
    grants.set(scene.token.clone(), None);
    scene.grant(&SignerLimits(Some(grants)));
    assert_eq!(scene.pay(1), Ok(()));
}

#[test]
fn keys_that_a_grant_lists_must_sign_too() {
    let scene = Scene::new();
    let second = Key::of(3);
    let nothing = SignerLimits(Some(Map::new(&scene.env)));
    let signer = second.signer(&scene.env, FOR_EVER, nothing);
    scene.add_signer(signer).expect("added");
    scene.grant(&scene.grants(&[(&scene.token, &[second.key(&scene.env)])]));
    assert_refused(scene.pay(1), &[NO_ONE_COVERS]);
    let both: [&dyn Sign; 2] = [&scene.agent, &second];
    assert_eq!(scene.pay_to(&scene.to, 1, &both), Ok(()));
    assert_refused(scene.pay_to(&scene.to, 1, &[&second]), &[NO_ONE_COVERS]);
}

// Pitfall 1: a policy holds no secret.
#[test]
fn a_policy_is_not_a_signature_even_if_it_is_stored_without_limits() {
    let scene = Scene::new();
    let policy = scene.spending_limit(1_000);
    let signer = account_interface::Signer::Policy(
        policy.clone(),
        account_interface::SignerExpiration(None),
        OWNER,
        account_interface::SignerStorage::Persistent,
    );
    scene.add_signer(signer).expect("attached");
    let mut map = Map::new(&scene.env);
    map.set(SignerKey::Policy(policy.clone()), Signature::Policy);
    let arguments = (&scene.wallet, &scene.to, 1i128).into_val(&scene.env);
    let root = invocation(&scene.token, "transfer", arguments, &[]);
    let signature = in_ledger(&scene.env, Signatures(map));
    let entry = scene.entry(root, |_| signature);
    let arguments = (&scene.wallet, &scene.to, 1i128).into_val(&scene.env);
    assert_refused(
        scene.invoke(&scene.token, "transfer", arguments, &[entry]),
        &[NO_ONE_COVERS],
    );
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn a_policy_added_to_the_signatures_is_not_charged_for_an_owner() {
    let (scene, policy) = Scene::limited(1_000);
    let arguments = (&scene.wallet, &scene.to, 500i128);
    let root = invocation(
        &scene.token,
        "transfer",
        arguments.into_val(&scene.env),
        &[],
    );
    let entry = scene.entry(root, |authorization| {
        let payload = authorization.payload(&scene.env);
        let mut map = Map::new(&scene.env);
        map.set(
            scene.owner.key(&scene.env),
            scene.owner.sign(&scene.env, &payload),
        );
        map.set(SignerKey::Policy(policy.clone()), Signature::Policy);
        in_ledger(&scene.env, Signatures(map))
    });
    let paid = scene.invoke(
        &scene.token,
        "transfer",
        arguments.into_val(&scene.env),
        &[entry],
    );
    assert_eq!(paid, Ok(()));
    assert_eq!(scene.spent(&policy), 0);
}

// Pitfall 4: a policy that is named but not attached does not consent.
#[test]
fn a_grant_whose_policy_is_not_attached_covers_nothing() {
    let scene = Scene::new();
    let policy = scene.spending_limit(1_000);
    scene.grant(&scene.payments(&[&policy]));
    assert_refused(scene.pay(1), &[NO_ONE_COVERS]);
    scene.add_policy(&policy).expect("attached");
    assert_eq!(scene.pay(1), Ok(()));
    let removed = scene.manage(
        "remove_signer",
        (SignerKey::Policy(policy),),
        &[&scene.owner],
    );
    assert_eq!(removed, Ok(()));
    assert_refused(scene.pay(1), &[NO_ONE_COVERS]);
}

// Pitfall 5: each call of a tree is checked, and a policy that is listed twice is called once.
#[test]
fn every_call_of_a_tree_is_charged_and_a_policy_listed_twice_charges_once() {
    let scene = Scene::new();
    let policy = scene.spending_limit(100);
    scene.add_policy(&policy).expect("attached");
    scene.grant(&scene.payments(&[&policy, &policy]));
    assert_eq!(scene.pay(40), Ok(()));
    assert_eq!(scene.spent(&policy), 40);
    let below = invocation(
        &scene.token,
        "transfer",
        (&scene.wallet, &scene.to, 40i128).into_val(&scene.env),
        &[],
    );
    let two = scene.call(
        &scene.token,
        "transfer",
        (&scene.wallet, &scene.to, 40i128),
        &[below],
        &[&scene.agent],
    );
    assert_refused(two, &[1, NO_ONE_COVERS]);
    assert_eq!((scene.spent(&policy), scene.paid()), (40, 40));
}

// Pitfall 5: a charge does not survive another policy's refusal.
#[test]
fn another_signer_does_not_bypass_a_policy_that_refuses() {
    let scene = Scene::new();
    let (wide, narrow) = (scene.spending_limit(1_000), scene.spending_limit(10));
    scene.add_policy(&wide).expect("attached");
    scene.add_policy(&narrow).expect("attached");
    scene.grant(&scene.payments(&[&wide, &narrow]));
    // Whichever policy is called first, a refused payment leaves no charge.
    let second = Key::of(3);
    let signer = second.signer(&scene.env, FOR_EVER, scene.payments(&[&narrow]));
    scene.add_signer(signer).expect("added");
    let both: [&dyn Sign; 2] = [&scene.agent, &second];
    assert_refused(scene.pay_to(&scene.to, 50, &both), &[1, NO_ONE_COVERS]);
    assert_eq!((scene.spent(&wide), scene.spent(&narrow)), (0, 0));
}

// Pitfall 6: only owners may call the account's own functions and deploy contracts.
#[test]
fn a_limited_signer_never_manages_the_account_whatever_it_is_granted() {
    let scene = Scene::new();
    scene.grant(&scene.grants(&[(&scene.wallet, &[])]));
    let more = scene.agent.signer(&scene.env, FOR_EVER, OWNER);
    for function in ["add_signer", "update_signer"] {
        assert_refused(
            scene.manage(function, (more.clone(),), &[&scene.agent]),
            &[NO_ONE_COVERS],
        );
    }
    let owner = scene.owner.key(&scene.env);
    assert_refused(
        scene.manage("remove_signer", (owner,), &[&scene.agent]),
        &[NO_ONE_COVERS],
    );
}

// Pitfall 6: only owners may deploy contracts on behalf of the account, whatever is granted.
#[test]
fn a_limited_signer_cannot_deploy_contracts() {
    let scene = Scene::new();
    scene.grant(&scene.grants(&[(&scene.token, &[]), (&scene.wallet, &[])]));
    let deployment = Context::CreateContractHostFn(CreateContractHostFnContext {
        executable: ContractExecutable::Wasm(BytesN::from_array(&scene.env, &[1; 32])),
        salt: BytesN::from_array(&scene.env, &[1; 32]),
    });
    let signed_by = |signer: &dyn Sign| {
        let payload = [7; 32];
        let mut map = Map::new(&scene.env);
        map.set(signer.key(&scene.env), signer.sign(&scene.env, &payload));
        scene.env.try_invoke_contract_check_auth::<Error>(
            &scene.wallet,
            &BytesN::from_array(&scene.env, &payload),
            Signatures(map).into_val(&scene.env),
            &vec![&scene.env, deployment.clone()],
        )
    };
    assert_eq!(signed_by(&scene.agent), Err(Ok(Error::MissingContext)));
    assert_eq!(signed_by(&scene.owner), Ok(()));
}

#[test]
fn a_limited_signer_may_remove_itself() {
    let scene = Scene::new();
    scene.grant(&SignerLimits(Some(Map::new(&scene.env))));
    let own = scene.agent.key(&scene.env);
    assert_eq!(
        scene.manage("remove_signer", (own.clone(),), &[&scene.agent]),
        Ok(())
    );
    assert_eq!(scene.account().get_signer(&own), None);
}

// Pitfall 11: the number of calls to policies is bounded.
#[test]
fn a_limited_signer_signs_no_more_than_ten_calls_at_once() {
    let (scene, _) = Scene::limited(1_000);
    let transfer = |amount: i128| {
        let arguments = (&scene.wallet, &scene.to, amount).into_val(&scene.env);
        invocation(&scene.token, "transfer", arguments, &[])
    };
    let pay = |below: usize| {
        let below = std::vec![transfer(1); below];
        let arguments = (&scene.wallet, &scene.to, 1i128);
        scene.call(&scene.token, "transfer", arguments, &below, &[&scene.agent])
    };
    assert_eq!(pay(9), Ok(()));
    assert_refused(pay(10), &[112]);
}

// Pitfall 7: a bad signature fails everything, before any policy is called.
#[test]
fn one_bad_signature_fails_everything() {
    let (scene, policy) = Scene::limited(1_000);
    let arguments = (&scene.wallet, &scene.to, 5i128);
    let root = invocation(
        &scene.token,
        "transfer",
        arguments.into_val(&scene.env),
        &[],
    );
    let entry = scene.entry(root, |authorization| {
        let payload = authorization.payload(&scene.env);
        let mut map = Map::new(&scene.env);
        map.set(
            scene.agent.key(&scene.env),
            Sign::sign(&scene.agent, &scene.env, &payload),
        );
        map.set(
            scene.owner.key(&scene.env),
            scene.owner.sign(&scene.env, &[0; 32]),
        );
        in_ledger(&scene.env, Signatures(map))
    });
    let paid = scene.invoke(
        &scene.token,
        "transfer",
        arguments.into_val(&scene.env),
        &[entry],
    );
    assert_refused(paid, &[122]);
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn a_key_that_is_not_a_signer_authorizes_nothing() {
    let (scene, _) = Scene::limited(1_000);
    let stranger = Key::of(9);
    assert_refused(scene.pay_to(&scene.to, 1, &[&stranger]), &[100]);
    let both: [&dyn Sign; 2] = [&scene.agent, &stranger];
    assert_refused(scene.pay_to(&scene.to, 1, &both), &[100]);
}
