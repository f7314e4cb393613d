//! The verified-only policy, alone and together with a spending limit.

use soroban_sdk::{testutils::Address as _, vec, Address, IntoVal};
use test_support::{invocation, pass_ledgers};
use verified_only::{Error, VerifiedOnly, VerifiedOnlyClient};

use super::{
    attestations::{shop, Office},
    scene::{assert_refused, Scene},
    signing::Sign,
};

struct Guarded {
    scene: Scene,
    office: Office,
    verified: Address,
    limit: Address,
}

/// An agent under both policies, and a shop that is attested for 100 ledgers.
fn guarded() -> Guarded {
    let mut scene = Scene::new();
    let office = Office::open(&scene.env);
    let verified = scene
        .env
        .register(VerifiedOnly, (&scene.wallet, &office.registry));
    let limit = scene.spending_limit(100);
    scene.add_policy(&verified).expect("attached");
    scene.add_policy(&limit).expect("attached");
    scene.grant(&scene.payments(&[&verified, &limit]));
    scene.to = shop(&scene.env);
    office.attest(&scene.env, &scene.to, 100);
    Guarded {
        scene,
        office,
        verified,
        limit,
    }
}

// [spec: Policy gateway/Stacked]
#[test]
fn both_policies_must_agree() {
    let Guarded { scene, limit, .. } = guarded();
    assert_eq!(scene.pay(60), Ok(()));
    assert_eq!(scene.events(), ["transfer"]);
    assert_refused(scene.pay(41), &[1, 110]);
    let elsewhere = shop(&scene.env);
    assert_refused(scene.pay_to(&elsewhere, 1, &[&scene.agent]), &[11, 110]);
    assert_eq!(scene.spent(&limit), 60);
}

// [spec: Policy gateway/Revoked]
#[test]
fn revoking_makes_the_identical_payment_fail() {
    let Guarded { scene, office, .. } = guarded();
    assert_eq!(scene.pay(10), Ok(()));
    office.revoke(&scene.env, &scene.to);
    assert_refused(scene.pay(10), &[11, 110]);
}

// [spec: Policy gateway/Verified only]
#[test]
fn so_does_its_expiry() {
    let Guarded { scene, .. } = guarded();
    pass_ledgers(&scene.env, 99);
    assert_eq!(scene.pay(10), Ok(()));
    pass_ledgers(&scene.env, 1);
    assert_refused(scene.pay(10), &[11, 110]);
}

#[test]
fn accounts_that_are_not_contracts_are_never_paid() {
    let Guarded { scene, .. } = guarded();
    let asset = scene
        .env
        .register_stellar_asset_contract_v2(Address::generate(&scene.env));
    let person =
        test_support::ClassicAccount::open(&scene.env, test_support::Key::of(8), &asset.asset());
    assert_refused(
        scene.pay_to(&person.address, 1, &[&scene.agent]),
        &[11, 110],
    );
}

#[test]
fn under_upto_recipient_and_settlement_contract_must_be_attested() {
    let Guarded {
        scene,
        office,
        limit,
        ..
    } = guarded();
    assert_refused(scene.settle(&scene.terms(50, 1), 20), &[11, 110]);
    office.attest(&scene.env, &scene.upto, 100);
    assert_eq!(scene.settle(&scene.terms(50, 1), 20), Ok(()));
    assert_eq!((scene.spent(&limit), scene.paid()), (20, 20));
    office.revoke(&scene.env, &scene.to);
    assert_refused(scene.settle(&scene.terms(50, 2), 20), &[11, 110]);
    assert_eq!(scene.spent(&limit), 20);
}

#[test]
fn a_call_without_a_recipient_is_refused() {
    let Guarded {
        scene, verified, ..
    } = guarded();
    let agent = scene
        .agent
        .signer(&scene.env, None, scene.payments(&[&verified]));
    scene
        .manage("update_signer", (agent,), &[&scene.owner])
        .expect("updated");
    let burned = scene.call(
        &scene.token,
        "burn",
        (&scene.wallet, 1i128),
        &[],
        &[&scene.agent],
    );
    assert_refused(burned, &[12, 110]);
    let below = invocation(
        &scene.token,
        "burn",
        (&scene.wallet, 1i128).into_val(&scene.env),
        &[],
    );
    let arguments = (&scene.wallet, &scene.to, 1i128);
    let both = scene.call(
        &scene.token,
        "transfer",
        arguments,
        &[below],
        &[&scene.agent],
    );
    assert_refused(both, &[12, 110]);
    // This policy does not cap amounts.
    assert_eq!(scene.pay(500_000), Ok(()));
}

#[test]
fn a_registry_that_does_not_answer_verifies_nothing() {
    let scene = Scene::new();
    let shop = shop(&scene.env);
    for registry in [Address::generate(&scene.env), shop.clone()] {
        let policy = scene.env.register(VerifiedOnly, (&scene.wallet, &registry));
        let key = scene.agent.key(&scene.env);
        let payment = soroban_sdk::auth::Context::Contract(soroban_sdk::auth::ContractContext {
            contract: scene.token.clone(),
            fn_name: soroban_sdk::Symbol::new(&scene.env, "transfer"),
            args: (&scene.wallet, &shop, 1i128).into_val(&scene.env),
        });
        let client = VerifiedOnlyClient::new(&scene.env, &policy);
        let answer = client.try_policy__(&scene.wallet, &key, &vec![&scene.env, payment.clone()]);
        assert_eq!(answer, Err(Ok(Error::NotVerified)));
        let other = Address::generate(&scene.env);
        let answer = client.try_policy__(&other, &key, &vec![&scene.env, payment]);
        assert_eq!(answer, Err(Ok(Error::WrongWallet)));
    }
}
