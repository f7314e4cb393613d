//! Reserve, then reconcile: the budget under `upto`.

use soroban_sdk::{testutils::Address as _, Address, IntoVal, Val, Vec};
use spending_limit::{Error, SpendingLimit, SpendingLimitClient};
use test_support::invocation;
use upto::Upto;

use super::{
    scene::{assert_refused, Scene, ANYBODY, ANY_AMOUNT, ANY_NUMBER, FIXED, WINDOW},
    signing::Sign,
};

const UNIT: i128 = 100;

// [spec: Spending budget with upto/Reserve] [spec: Spending budget with upto/Actual charge]
#[test]
fn the_ceiling_must_fit_and_the_budget_ends_at_the_actual_charge() {
    // In hundredths: with a cap of 1.00, a ceiling of 0.60 is settled at 0.10, and then another 0.60 fits.
    let (scene, policy) = Scene::limited(UNIT);
    assert_eq!(scene.settle(&scene.terms(60, 1), 10), Ok(()));
    assert_eq!((scene.spent(&policy), scene.paid()), (10, 10));
    assert_eq!(scene.settle(&scene.terms(60, 2), 60), Ok(()));
    assert_eq!((scene.spent(&policy), scene.paid()), (70, 70));
    assert_refused(scene.settle(&scene.terms(60, 3), 1), &[1, 110]);
    assert_eq!((scene.spent(&policy), scene.paid()), (70, 70));
}

#[test]
fn a_settlement_emits_only_the_tokens_events() {
    let (scene, _) = Scene::limited(UNIT);
    assert_eq!(scene.settle(&scene.terms(60, 1), 10), Ok(()));
    assert_eq!(scene.events(), ["approve", "transfer"]);
    assert_eq!(scene.pay(10), Ok(()));
    assert_eq!(scene.events(), ["transfer"]);
}

#[test]
fn nothing_is_reserved_after_a_settlement_of_zero() {
    let (scene, policy) = Scene::limited(UNIT);
    assert_eq!(scene.settle(&scene.terms(UNIT, 1), 0), Ok(()));
    assert_eq!(scene.spent(&policy), 0);
    // The same without sub-invocations in the signed tree: no approve is needed then.
    let terms = scene.terms(UNIT, 2);
    let root = scene.settle_of(&terms, &[]);
    let entry = scene.sign(root, &[&scene.agent]);
    assert_eq!(scene.present(&terms, 0, &[entry]), Ok(()));
    assert_eq!(scene.spent(&policy), 0);
    refuses_root_approve(&scene, UNIT, terms.expiration);
}

fn refuses_root_approve(scene: &Scene, amount: i128, expiration: u32) {
    let arguments = (&scene.wallet, &scene.upto, amount, expiration);
    let approved = scene.call(&scene.token, "approve", arguments, &[], &[&scene.agent]);
    assert_refused(approved, &[1, 110]);
}

#[test]
fn a_failed_settlement_reserves_nothing() {
    let (scene, policy) = Scene::limited(10_000_000);
    // More than the account's balance: the token refuses after the reservation.
    assert!(scene.settle(&scene.terms(2_000_000, 1), 1_500_000).is_err());
    assert_eq!((scene.spent(&policy), scene.paid()), (0, 0));
}

#[test]
fn a_replay_is_refused_and_gives_nothing_back() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(50, 1);
    assert_eq!(scene.settle(&terms, 20), Ok(()));
    assert_refused(scene.settle(&terms, 0), &[206]);
    assert_eq!(
        (scene.spent(&policy), scene.settled(&terms)),
        (20, Some(20))
    );
}

#[test]
fn only_the_approve_of_the_reservation_is_allowed() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(50, 1);
    let refused = |below: &[Vec<Val>]| {
        let below: std::vec::Vec<_> = below
            .iter()
            .map(|arguments| invocation(&scene.token, "approve", arguments.clone(), &[]))
            .collect();
        let entry = scene.sign(scene.settle_of(&terms, &below), &[&scene.agent]);
        assert_refused(scene.present(&terms, 20, &[entry]), &[1, 110]);
    };
    let (env, wallet, upto) = (&scene.env, &scene.wallet, &scene.upto);
    let expiration = terms.expiration;
    let right: Vec<Val> = (wallet, upto, 50i128, expiration).into_val(env);
    refused(&[(wallet, upto, 51i128, expiration).into_val(env)]);
    refused(&[(wallet, upto, 49i128, expiration).into_val(env)]);
    refused(&[(wallet, upto, 50i128, expiration + 1).into_val(env)]);
    refused(&[(wallet, &scene.to, 50i128, expiration).into_val(env)]);
    // One reservation allows one approve.
    refused(&[right.clone(), right]);
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn another_settlement_contract_is_refused() {
    let (mut scene, policy) = Scene::limited(UNIT);
    scene.upto = scene.env.register(Upto, ());
    assert_refused(scene.settle(&scene.terms(50, 1), 20), &[110]);
    // It is also refused if the agent has a grant for it under the same policy.
    let agent = scene
        .agent
        .signer(&scene.env, None, scene.payments(&[&policy]));
    scene
        .manage("update_signer", (agent,), &[&scene.owner])
        .expect("updated");
    assert_refused(scene.settle(&scene.terms(50, 1), 20), &[1, 110]);
}

// Pitfall: double release, and release by a caller that isn't the settlement contract.
#[test]
fn only_the_settlement_contract_releases_once_and_never_more_than_reserved() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(60, 1);
    assert_eq!(scene.settle(&terms, 60), Ok(()));
    let client = SpendingLimitClient::new(&scene.env, &policy);
    let unsigned = client
        .set_auths(&[])
        .try_release(&scene.wallet, &terms.nonce, &0);
    assert!(unsigned.is_err());
    // As the settlement contract: releasing again does nothing, nor does releasing what was never reserved.
    let again = client
        .mock_all_auths()
        .try_release(&scene.wallet, &terms.nonce, &0);
    assert_eq!(again, Ok(Ok(())));
    let never = scene.terms(60, 2).nonce;
    let nothing = client
        .mock_all_auths()
        .try_release(&scene.wallet, &never, &0);
    assert_eq!(nothing, Ok(Ok(())));
    let other = Address::generate(&scene.env);
    let elsewhere = client
        .mock_all_auths()
        .try_release(&other, &terms.nonce, &0);
    assert_eq!(elsewhere, Err(Ok(Error::BadRelease)));
    assert_eq!(scene.spent(&policy), 60);
}

#[test]
fn a_release_of_more_or_less_than_was_reserved_is_refused() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(60, 1);
    reserve(&scene, &policy, &terms);
    let client = SpendingLimitClient::new(&scene.env, &policy);
    for actual in [-1, 61, i128::MIN, i128::MAX] {
        let answer = client
            .mock_all_auths()
            .try_release(&scene.wallet, &terms.nonce, &actual);
        assert_eq!(answer, Err(Ok(Error::BadRelease)));
    }
    assert_eq!(scene.spent(&policy), 60);
    let answer = client
        .mock_all_auths()
        .try_release(&scene.wallet, &terms.nonce, &25);
    assert_eq!(answer, Ok(Ok(())));
    assert_eq!(scene.spent(&policy), 25);
}

/// Makes a reservation that the settlement contract has not released yet.
pub fn reserve(scene: &Scene, policy: &Address, terms: &super::scene::Terms) {
    use soroban_sdk::{
        auth::{Context, ContractContext},
        vec, Symbol,
    };
    let arguments = (
        &scene.token,
        &scene.wallet,
        &scene.to,
        terms.ceiling,
        terms.expiration,
        &terms.nonce,
    );
    let settle = Context::Contract(ContractContext {
        contract: scene.upto.clone(),
        fn_name: Symbol::new(&scene.env, "settle"),
        args: arguments.into_val(&scene.env),
    });
    SpendingLimitClient::new(&scene.env, policy)
        .mock_all_auths()
        .policy__(
            &scene.wallet,
            &scene.agent.key(&scene.env).into_val(&scene.env),
            &vec![&scene.env, settle],
        );
}

// Pitfall 15: a reservation belongs to its transaction and its window.
#[test]
fn an_unreleased_reservation_cannot_be_used_later() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(60, 1);
    reserve(&scene, &policy, &terms);
    scene.pass(5);
    // It allows neither an approve nor a release.
    refuses_root_approve(&scene, 60, terms.expiration);
    let client = SpendingLimitClient::new(&scene.env, &policy);
    let late = client
        .mock_all_auths()
        .try_release(&scene.wallet, &terms.nonce, &0);
    assert_eq!(late, Ok(Ok(())));
    assert_eq!(scene.spent(&policy), 60);
    // It no longer counts after its window.
    scene.pass(WINDOW);
    assert_eq!(scene.settle(&scene.terms(UNIT, 2), 1), Ok(()));
    assert_eq!(scene.spent(&policy), 1);
}

#[test]
fn a_policy_with_another_settlement_contract_is_not_released() {
    let (scene, policy) = Scene::limited(UNIT);
    // A policy that names another settlement contract than the one that calls it does not change either.
    let deaf = scene.env.register(
        SpendingLimit,
        (
            &scene.wallet,
            &scene.token,
            Some(scene.env.register(Upto, ())),
            1_000i128,
            WINDOW,
            ANY_AMOUNT,
            ANYBODY,
            ANY_NUMBER,
            FIXED,
        ),
    );
    scene.add_policy(&deaf).expect("attached");
    assert_eq!(scene.settle(&scene.terms(60, 1), 10), Ok(()));
    assert_eq!((scene.spent(&policy), scene.spent(&deaf)), (10, 0));
}

#[test]
fn listing_another_accounts_policy_does_not_change_it() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(60, 1);
    reserve(&scene, &policy, &terms);
    // Another account lists the policy, and settles under the same nonce.
    let hostile = scene.env.register(hostile::Account, (&policy,));
    scene.fund(&hostile, 1_000);
    let nothing: Option<Address> = None;
    let arguments = (
        &scene.token,
        &hostile,
        &scene.to,
        60i128,
        terms.expiration,
        &terms.nonce,
        0i128,
        nothing,
    );
    let root = invocation(
        &scene.upto,
        "settle",
        (
            &scene.token,
            &hostile,
            &scene.to,
            60i128,
            terms.expiration,
            &terms.nonce,
        )
            .into_val(&scene.env),
        &[],
    );
    let entry = test_support::Authorization {
        credentials: test_support::Credentials::Address,
        address: hostile.clone(),
        nonce: 99,
        expiration: scene.env.ledger().sequence() + 10,
        root,
    }
    .signed(soroban_sdk::xdr::ScVal::Void);
    let settled = scene.invoke(
        &scene.upto,
        "settle",
        arguments.into_val(&scene.env),
        &[entry],
    );
    assert_eq!(settled, Ok(()));
    assert_eq!(scene.spent(&policy), 60);
}

mod hostile {
    use soroban_sdk::{
        auth::{Context, CustomAccountInterface},
        contract, contractimpl,
        crypto::Hash,
        symbol_short, vec, Address, Env, Error, Val, Vec,
    };
    #[contract]
    pub struct Account;
    #[contractimpl]
    impl Account {
        pub fn __constructor(env: Env, policy: Address) {
            env.storage()
                .instance()
                .set(&symbol_short!("policy"), &policy);
        }
        pub fn policies(env: Env) -> Vec<Address> {
            let policy = env.storage().instance().get(&symbol_short!("policy"));
            vec![&env, policy.unwrap()]
        }
    }
    #[contractimpl]
    impl CustomAccountInterface for Account {
        type Error = Error;
        type Signature = Val;
        fn __check_auth(_e: Env, _p: Hash<32>, _s: Val, _c: Vec<Context>) -> Result<(), Error> {
            Ok(())
        }
    }
}

#[test]
fn a_policy_without_a_settlement_contract_allows_only_transfers() {
    let scene = Scene::new();
    let nobody: Option<Address> = None;
    let policy = scene.env.register(
        SpendingLimit,
        (
            &scene.wallet,
            &scene.token,
            nobody,
            UNIT,
            WINDOW,
            ANY_AMOUNT,
            ANYBODY,
            ANY_NUMBER,
            FIXED,
        ),
    );
    scene.add_policy(&policy).expect("attached");
    scene.grant(&scene.payments(&[&policy]));
    assert_eq!(scene.pay(40), Ok(()));
    assert_refused(scene.settle(&scene.terms(50, 1), 20), &[1, 110]);
    let release = SpendingLimitClient::new(&scene.env, &policy)
        .mock_all_auths()
        .try_release(&scene.wallet, &scene.terms(50, 1).nonce, &0);
    assert_eq!(release, Err(Ok(Error::BadRelease)));
}

#[test]
fn a_settlement_by_an_owner_does_not_charge_a_policy() {
    let (scene, policy) = Scene::limited(UNIT);
    let terms = scene.terms(500, 1);
    let root = scene.settle_of(&terms, &[scene.approve_of(&terms)]);
    let entry = scene.sign(root, &[&scene.owner]);
    assert_eq!(scene.present(&terms, 400, &[entry]), Ok(()));
    assert_eq!((scene.spent(&policy), scene.paid()), (0, 400));
}
