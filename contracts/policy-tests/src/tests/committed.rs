//! The modules that are committed and deployed, in the host's own virtual machine: what they do, and what it costs.

use std::println;

use attestation_registry::AttestationRegistryClient;
use soroban_sdk::{testutils::Address as _, vec, Address};
use verified_only::VerifiedOnlyClient;

use super::{
    attestations::{module_of, shop},
    scene::{assert_refused, Modules, Scene},
};

const REGISTRY_WASM: &[u8] = include_bytes!("../../../wasm/attestation-registry.wasm");
const VERIFIED_WASM: &[u8] = include_bytes!("../../../wasm/verified-only.wasm");

/// A governed payment of the agent's stays well below these.
const MOST_INSTRUCTIONS: i64 = 10_000_000;

fn cost(name: &str, scene: &Scene) -> i64 {
    let resources = scene.env.cost_estimate().resources();
    println!(
        "{name}: {resources:?}, fee {:?}",
        scene.env.cost_estimate().fee()
    );
    resources.instructions
}

#[test]
fn they_pay_within_the_limit_refuse_over_it_and_reconcile() {
    let (scene, policy) = Scene::limited_of(Modules::Committed, 100);
    assert_eq!(scene.pay(30), Ok(()));
    assert!(cost("exact, ed25519 under a limit", &scene) < MOST_INSTRUCTIONS);
    assert_eq!(scene.settle(&scene.terms(60, 1), 10), Ok(()));
    assert!(cost("upto, ed25519 under a limit", &scene) < MOST_INSTRUCTIONS);
    assert_eq!((scene.spent(&policy), scene.paid()), (40, 40));
    assert_refused(scene.pay(61), &[1, 110]);
    assert_eq!(scene.pay_to(&scene.to, 61, &[&scene.owner]), Ok(()));
    assert!(cost("exact, passkey of the owner", &scene) < MOST_INSTRUCTIONS);
    assert_eq!(scene.account().policies(), vec![&scene.env, policy]);
}

#[test]
fn they_pay_the_verified_alone() {
    let (mut scene, limit) = Scene::limited_of(Modules::Committed, 100);
    let attestor = Address::generate(&scene.env);
    let registry = scene.env.register(REGISTRY_WASM, (&attestor,));
    let verified = scene
        .env
        .register(VERIFIED_WASM, (&scene.wallet, &registry));
    scene.add_policy(&verified).expect("attached");
    let agent = super::signing::Sign::signer(
        &scene.agent,
        &scene.env,
        None,
        scene.payments(&[&verified, &limit]),
    );
    scene
        .manage("update_signer", (agent,), &[&scene.owner])
        .expect("updated");
    assert_refused(scene.pay(1), &[11, 110]);
    scene.to = shop(&scene.env);
    let expires = scene.env.ledger().sequence() + 10;
    let office = AttestationRegistryClient::new(&scene.env, &registry).mock_all_auths();
    office.attest(&scene.to, &module_of(&scene.to), &expires);
    assert_eq!(scene.pay(1), Ok(()));
    assert!(cost("exact, ed25519 under both policies", &scene) < MOST_INSTRUCTIONS);
    let config = VerifiedOnlyClient::new(&scene.env, &verified).config();
    assert_eq!(
        (config.wallet, config.registry),
        (scene.wallet.clone(), registry)
    );
}
