//! The committed and deployed modules, in the host's own virtual machine: what they do, and what it costs.

use std::println;

use account_interface::{Signer, SignerExpiration, SignerKey, SignerStorage};
use attestation_registry::AttestationRegistryClient;
use soroban_sdk::{symbol_short, testutils::Address as _, vec, Address, BytesN};
use verified_only::VerifiedOnlyClient;

use super::{
    attestations::{module_of, shop},
    scene::{assert_refused, Limits, Modules, Scene, ACCOUNT_WASM, LIMIT_WASM},
    signing::{Sign, FOR_EVER, OWNER},
};

const REGISTRY_WASM: &[u8] = include_bytes!("../../../wasm/attestation-registry.wasm");
const VERIFIED_WASM: &[u8] = include_bytes!("../../../wasm/verified-only.wasm");

/// An upper bound on the instructions of an agent's governed payment, which stays well below it.
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
fn the_modules_pay_within_the_limit_refuse_above_it_and_reconcile() {
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
fn the_modules_pay_only_verified_contracts() {
    let (mut scene, limit) = Scene::limited_of(Modules::Committed, 100);
    let attestor = Address::generate(&scene.env);
    let registry = scene.env.register(REGISTRY_WASM, (&attestor,));
    let verified = scene
        .env
        .register(VERIFIED_WASM, (&scene.wallet, &registry));
    scene.add_policy(&verified).expect("attached");
    let agent = scene
        .agent
        .signer(&scene.env, FOR_EVER, scene.payments(&[&verified, &limit]));
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

/// The account of version 0.3.0, which wallets from that time run.
const EARLIER_ACCOUNT: &[u8] = include_bytes!("../../../earlier/0.3.0/smart-account.wasm");
const EARLIER_LIMIT: &[u8] = include_bytes!("../../../earlier/0.3.0/spending-limit.wasm");

#[test]
fn an_account_of_an_earlier_version_is_upgraded_with_its_owners_and_policies() {
    let mut scene = Scene::new();
    let owner = (scene.owner.signer(&scene.env, FOR_EVER, OWNER),);
    scene.wallet = scene.env.register(EARLIER_ACCOUNT, owner);
    scene.fund(&scene.wallet, 1_000);
    let upto = Some(&scene.upto);
    let terms = (&scene.wallet, &scene.token, upto, 100i128, 86_400u64);
    let policy = scene.env.register(EARLIER_LIMIT, terms);
    scene.add_policy(&policy).expect("attached");
    scene.grant(&scene.payments(&[&policy]));
    assert_eq!(scene.pay(30), Ok(()));
    // The earlier module counted an owner whose key no one has.
    let zero = BytesN::from_array(&scene.env, &[0; 32]);
    let end = SignerExpiration(None);
    let nobodys = Signer::Ed25519(zero, end, OWNER, SignerStorage::Persistent);
    scene.add_signer(nobodys.clone()).expect("added");

    let hash = scene.env.deployer().upload_contract_wasm(ACCOUNT_WASM);
    scene
        .manage("upgrade", (hash,), &[&scene.owner])
        .expect("upgraded");
    // Attached policies and grants still apply.
    assert_eq!(scene.account().policies(), vec![&scene.env, policy.clone()]);
    assert_refused(scene.pay(71), &[1, 110]);
    assert_eq!(scene.settle(&scene.terms(70, 1), 10), Ok(()));
    let spent: i128 = scene
        .env
        .invoke_contract(&policy, &symbol_short!("spent"), vec![&scene.env]);
    assert_eq!(spent, 40);
    // The owner that counted along with that key is now the last one.
    let own = scene.owner.key(&scene.env);
    let remove = |key: &SignerKey| scene.manage("remove_signer", (key.clone(),), &[&scene.owner]);
    let (nobody, ..) = nobodys.parts();
    remove(&own).expect_err("the last owner");
    assert_eq!(remove(&nobody), Ok(()));
    remove(&own).expect_err("the last owner");
    // One signature replaces the agent's policy and key.
    let limit = scene.spending_limit_of(LIMIT_WASM, 100);
    let agent = scene
        .agent
        .signer(&scene.env, FOR_EVER, scene.payments(&[&limit]));
    let change = (
        vec![
            &scene.env,
            scene.agent.key(&scene.env),
            SignerKey::Policy(policy),
        ],
        vec![&scene.env, scene.policy_signer(&limit), agent],
    );
    assert_eq!(
        scene.manage("change_signers", change, &[&scene.owner]),
        Ok(())
    );
    assert_eq!(scene.pay(100), Ok(()));
    assert_refused(scene.pay(1), &[1, 110]);
}

/// The account of builds between 0.3.0 and the first one whose limits can change.
const PREVIOUS_ACCOUNT: &[u8] = include_bytes!("../../../earlier/unreleased-1/smart-account.wasm");

#[test]
fn owners_of_earlier_accounts_can_change_limits_and_their_agents_cannot() {
    for account in [EARLIER_ACCOUNT, PREVIOUS_ACCOUNT] {
        let mut scene = Scene::new();
        let owner = (scene.owner.signer(&scene.env, FOR_EVER, OWNER),);
        scene.wallet = scene.env.register(account, owner);
        scene.fund(&scene.wallet, 1_000);
        let policy = scene.spending_limit_of(LIMIT_WASM, 100);
        scene.limit_by(&policy);
        assert_eq!(scene.pay(60), Ok(()));
        let more = || Limits::sliding(150);
        assert_refused(scene.change(&policy, 0, more(), &[&scene.agent]), &[110]);
        assert_eq!(scene.change(&policy, 0, more(), &[&scene.owner]), Ok(()));
        assert_refused(scene.pay(91), &[1, 110]);
        assert_eq!(scene.pay(90), Ok(()));
    }
}

#[test]
fn the_modules_slide_windows_count_payments_and_change_limits() {
    let scene = Scene::made_of(Modules::Committed);
    let policy = scene.made_limit(Limits {
        payments: Some(2),
        ..Limits::sliding(100)
    });
    scene.limit_by(&policy);
    assert_eq!(scene.pay(30), Ok(()));
    assert!(cost("exact, ed25519 under a limit that slides", &scene) < MOST_INSTRUCTIONS);
    assert_eq!(scene.pay(30), Ok(()));
    assert_refused(scene.pay(1), &[7, 110]);
    let next = || Limits::sliding(70);
    assert_refused(scene.change(&policy, 0, next(), &[&scene.agent]), &[110]);
    assert_eq!(scene.change(&policy, 0, next(), &[&scene.owner]), Ok(()));
    assert_refused(scene.change(&policy, 0, next(), &[&scene.owner]), &[8]);
    assert_refused(scene.pay(11), &[1, 110]);
    assert_eq!(scene.pay(10), Ok(()));
    scene.pass(super::scene::WINDOW * 13 / 12);
    assert_eq!(scene.budget(&policy).remaining, 70);
}

// C4: the first payment used to pay for the window's storage.
#[test]
fn the_first_payment_costs_no_more_rent_than_the_second() {
    let (scene, _) = Scene::limited_of(Modules::Committed, 100);
    assert_eq!(scene.pay_to(&scene.to, 1, &[&scene.owner]), Ok(()));
    let rent = |name: &str| {
        assert_eq!(scene.pay(1), Ok(()));
        cost(name, &scene);
        scene.env.cost_estimate().fee().persistent_entry_rent
    };
    let first = rent("exact, the first under a limit");
    assert_eq!(first, rent("exact, the second under a limit"));
}
