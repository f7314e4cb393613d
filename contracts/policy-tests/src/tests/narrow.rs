//! Limits in addition to the window's: the maximum of one payment, and who may be paid.

use soroban_sdk::{
    auth::{Context, ContractContext},
    testutils::{Address as _, MuxedAddress as _},
    vec, Address, IntoVal, MuxedAddress, Symbol, Val, Vec,
};
use spending_limit::{Config, Error, SpendingLimitClient, MOST_RECIPIENTS};

use super::{
    scene::{assert_refused, Scene, ANYBODY, ANY_AMOUNT, WINDOW},
    signing::Sign,
};

const OVER_ONE: [u32; 2] = [2, 110];
const NOT_LISTED: [u32; 2] = [3, 110];

fn at_most(per_payment: i128) -> (Scene, Address) {
    let scene = Scene::new();
    let policy = scene.narrow_limit(1_000, Some(per_payment), ANYBODY);
    scene.limit_by(&policy);
    (scene, policy)
}

/// A scene whose agent may pay its recipient and one other.
fn listed() -> (Scene, Address, Address) {
    let scene = Scene::new();
    let other = Address::generate(&scene.env);
    let list = vec![&scene.env, other.clone(), scene.to.clone()];
    let policy = scene.narrow_limit(1_000, ANY_AMOUNT, Some(list));
    scene.limit_by(&policy);
    (scene, policy, other)
}

#[test]
fn one_payment_is_at_most_the_maximum_and_a_refused_one_charges_nothing() {
    let (scene, policy) = at_most(100);
    assert_refused(scene.pay(101), &OVER_ONE);
    assert_refused(scene.pay(i128::MAX), &OVER_ONE);
    assert_eq!(scene.spent(&policy), 0);
    assert_eq!(scene.pay(100), Ok(()));
    assert_eq!(scene.pay(100), Ok(()));
    assert_eq!((scene.spent(&policy), scene.paid()), (200, 200));
    // The window's limit applies as well.
    for _ in 0..8 {
        assert_eq!(scene.pay(100), Ok(()));
    }
    assert_refused(scene.pay(1), &[1, 110]);
    scene.pass(WINDOW);
    assert_refused(scene.pay(101), &OVER_ONE);
    assert_eq!(scene.pay(100), Ok(()));
}

// An `upto` seller may take up to the ceiling, so the ceiling counts, even if less is settled.
#[test]
fn under_upto_the_maximum_applies_to_the_ceiling() {
    let (scene, policy) = at_most(100);
    assert_refused(scene.settle(&scene.terms(101, 1), 1), &OVER_ONE);
    assert_eq!(scene.settle(&scene.terms(100, 2), 30), Ok(()));
    assert_eq!(scene.spent(&policy), 30);
}

#[test]
fn amounts_of_zero_or_less_are_not_payments_either() {
    let (scene, policy) = at_most(100);
    assert_refused(scene.pay(0), &[1, 110]);
    // The token refuses negative amounts before any policy is called.
    for amount in [-1, i128::MIN] {
        scene.pay(amount).expect_err("less than nothing");
        let terms = scene.terms(amount, 1);
        scene.settle(&terms, amount).expect_err("less than nothing");
    }
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn only_listed_recipients_are_paid() {
    let (scene, policy, other) = listed();
    let stranger = Address::generate(&scene.env);
    assert_refused(scene.pay_to(&stranger, 1, &[&scene.agent]), &NOT_LISTED);
    // Contracts that the agent calls are not on the list for that reason.
    for to in [&scene.token, &scene.upto, &policy] {
        assert_refused(scene.pay_to(to, 1, &[&scene.agent]), &NOT_LISTED);
    }
    assert_eq!(scene.spent(&policy), 0);
    assert_eq!(scene.pay(10), Ok(()));
    assert_eq!(scene.pay_to(&other, 10, &[&scene.agent]), Ok(()));
    assert_eq!(scene.spent(&policy), 20);
    // Owners may pay anyone.
    assert_eq!(scene.pay_to(&stranger, 1, &[&scene.owner]), Ok(()));
}

// A settlement's approve names the settlement contract, which no one lists.
#[test]
fn a_settlement_pays_only_listed_recipients() {
    let (mut scene, policy, other) = listed();
    assert_eq!(scene.settle(&scene.terms(60, 1), 10), Ok(()));
    assert_eq!(scene.spent(&policy), 10);
    let listed = scene.to.clone();
    scene.to = Address::generate(&scene.env);
    assert_refused(scene.settle(&scene.terms(60, 2), 0), &NOT_LISTED);
    scene.to = other;
    assert_eq!(scene.settle(&scene.terms(60, 2), 60), Ok(()));
    scene.to = listed;
    assert_eq!(scene.spent(&policy), 70);
}

// The recipient chooses the number of a muxed address: it does not change who is paid.
#[test]
fn the_account_behind_a_muxed_address_is_paid() {
    let scene = Scene::new();
    let env = &scene.env;
    let account = |key: &str| Address::from_str(env, key);
    let shop = account("GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ");
    let thief = account("GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7");
    let policy = scene.narrow_limit(1_000, ANY_AMOUNT, Some(vec![env, shop.clone()]));
    let agent: Val = scene.agent.key(env).into_val(env);
    let pays = |to: &Address, id: u64| {
        let to = MuxedAddress::new(to.clone(), id);
        let call = Context::Contract(ContractContext {
            contract: scene.token.clone(),
            fn_name: Symbol::new(env, "transfer"),
            args: (&scene.wallet, to, 1i128).into_val(env),
        });
        SpendingLimitClient::new(env, &policy)
            .mock_all_auths()
            .try_policy__(&scene.wallet, &agent, &vec![env, call])
    };
    assert_eq!(pays(&shop, 7), Ok(Ok(())));
    assert_eq!(pays(&thief, 7), Err(Ok(Error::NotARecipient)));
}

#[test]
fn a_narrow_limit_refuses_invalid_constructor_arguments() {
    let scene = Scene::new();
    let many = |count: u32| -> Vec<Address> {
        let mut list = Vec::new(&scene.env);
        for _ in 0..count {
            list.push_back(Address::generate(&scene.env));
        }
        list
    };
    let makes = |per_payment: Option<i128>, recipients: Option<Vec<Address>>| {
        let make = || scene.narrow_limit(10, per_payment, recipients);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)).is_ok()
    };
    assert!(makes(Some(1), Some(many(1))));
    assert!(makes(Some(10), Some(many(MOST_RECIPIENTS))));
    for per_payment in [0, -1, i128::MIN, 11, i128::MAX] {
        assert!(!makes(Some(per_payment), None), "{per_payment}");
    }
    assert!(!makes(None, Some(many(0))));
    assert!(!makes(None, Some(many(MOST_RECIPIENTS + 1))));
    let mut own = many(1);
    own.push_back(scene.wallet.clone());
    assert!(!makes(None, Some(own)));
}

#[test]
fn the_constructor_arguments_can_be_read() {
    let (scene, policy, other) = listed();
    let config = scene.config(&policy);
    let expected = Config {
        wallet: scene.wallet.clone(),
        token: scene.token.clone(),
        upto: Some(scene.upto.clone()),
        limit: 1_000,
        window: WINDOW,
        per_payment: None,
        recipients: Some(vec![&scene.env, other, scene.to.clone()]),
        payments: None,
        sliding: false,
        revision: 0,
    };
    assert_eq!(config, expected);
}
