//! Tokens that fail, lie or call back, and issuers that freeze balances or take them back. A token that moves other
//! amounts than it is asked to is nobody's money; here it must not make the channel ask for more than was signed.

use soroban_sdk::{testutils::Address as _, Address, BytesN, Symbol, Val, Vec};
use test_support::pass_ledgers;

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS, WAIT};
use crate::{Channel, ChannelClient};
use token::{HostileToken, HostileTokenClient};

/// A token that does what it is told to do: it says any balance, notes what it is asked to move, fails, and calls back.
mod token {
    use soroban_sdk::{
        contract, contractimpl, contracttype, symbol_short, Address, Env, Error, Symbol, Val, Vec,
    };

    #[contracttype]
    pub enum Key {
        Balance,
        FailsFor(Address),
        BalanceFails,
        Back,
        BackAnswered,
        Asked(Address),
    }

    #[contract]
    pub struct HostileToken;

    #[contractimpl]
    impl HostileToken {
        pub fn say(env: Env, balance: i128) {
            env.storage().instance().set(&Key::Balance, &balance);
        }

        pub fn fail_for(env: Env, to: Address) {
            env.storage().instance().set(&Key::FailsFor(to), &true);
        }

        pub fn fail_to_say(env: Env) {
            env.storage().instance().set(&Key::BalanceFails, &true);
        }

        /// Calls this from then on, in `transfer` and in `balance`.
        pub fn call_back(env: Env, contract: Address, function: Symbol, arguments: Vec<Val>) {
            let back = (contract, function, arguments);
            env.storage().instance().set(&Key::Back, &back);
        }

        pub fn was_answered(env: Env) -> bool {
            env.storage().instance().has(&Key::BackAnswered)
        }

        pub fn asked(env: Env, to: Address) -> i128 {
            env.storage().instance().get(&Key::Asked(to)).unwrap_or(0)
        }

        pub fn balance(env: Env, _id: Address) -> i128 {
            let instance = env.storage().instance();
            assert!(!instance.has(&Key::BalanceFails));
            back(&env);
            instance.get(&Key::Balance).unwrap_or(0)
        }

        /// Neither asks for an authorization nor moves anything.
        pub fn transfer(env: Env, _from: Address, to: Address, amount: i128) {
            let instance = env.storage().instance();
            assert!(!instance.has(&Key::FailsFor(to.clone())));
            back(&env);
            let so_far = Self::asked(env.clone(), to.clone());
            instance.set(&Key::Asked(to), &(so_far + amount));
        }
    }

    fn back(env: &Env) {
        let instance = env.storage().instance();
        let Some((contract, function, arguments)) =
            instance.get::<_, (Address, Symbol, Vec<Val>)>(&Key::Back)
        else {
            return;
        };
        let answer = env.try_invoke_contract::<Val, Error>(&contract, &function, arguments);
        if answer.is_ok() {
            instance.set(&Key::BackAnswered, &symbol_short!("yes"));
        }
    }
}

/// A channel of such a token, which says that the channel has the deposit.
fn hostile<'a>(scene: &'a Scene) -> (Address, HostileTokenClient<'a>) {
    let token = scene.env.register(HostileToken, ());
    let terms = scene.terms_with(&token, 0);
    let channel = scene.env.register(Channel, terms);
    let client = HostileTokenClient::new(&scene.env, &token);
    client.say(&DEPOSIT);
    (channel, client)
}

fn withdrawn(scene: &Scene, channel: &Address) -> i128 {
    ChannelClient::new(&scene.env, channel).withdrawn()
}

#[test]
fn a_token_that_does_not_pay_changes_nothing() {
    let scene = Scene::new();
    let (channel, token) = hostile(&scene);
    token.fail_for(&scene.recipient.address);
    assert_eq!(scene.settle_in(&channel, 400), Outcome::Failed);
    assert_eq!(scene.close_in(&channel, 400), Outcome::Failed);
    assert_eq!(withdrawn(&scene, &channel), 0);
    let early = scene.call(&channel, "refund", (), &[]);
    assert_ne!(early, Outcome::Done, "the close was undone");
}

#[test]
fn a_token_that_does_not_pay_the_payer_does_not_keep_the_recipient_from_closing() {
    let scene = Scene::new();
    let (channel, token) = hostile(&scene);
    token.fail_for(&scene.payer.address);
    assert_eq!(scene.close_in(&channel, 400), Outcome::Done);
    assert_eq!(token.asked(&scene.recipient.address), 400);
    assert_eq!(token.asked(&scene.payer.address), 0);
    assert_eq!(scene.call(&channel, "refund", (), &[]), Outcome::Failed);
}

#[test]
fn a_token_that_says_no_balance_pays_nothing_and_one_below_zero_takes_nothing() {
    let scene = Scene::new();
    for balance in [0, -1, i128::MIN] {
        let (channel, token) = hostile(&scene);
        token.say(&balance);
        assert_eq!(scene.settle_in(&channel, 400), Outcome::Done);
        assert_eq!(scene.close_in(&channel, 400), Outcome::Done);
        assert_eq!(scene.call(&channel, "refund", (), &[]), Outcome::Done);
        assert_eq!(token.asked(&scene.recipient.address), 0);
        assert_eq!(token.asked(&scene.payer.address), 0);
        assert_eq!(withdrawn(&scene, &channel), 0);
    }
    let (channel, token) = hostile(&scene);
    token.fail_to_say();
    assert_eq!(scene.settle_in(&channel, 400), Outcome::Failed);
    assert_eq!(withdrawn(&scene, &channel), 0);
}

#[test]
fn a_token_that_says_any_balance_is_asked_for_no_more_than_was_signed() {
    let scene = Scene::new();
    let (channel, token) = hostile(&scene);
    token.say(&i128::MAX);
    for amount in [400, 400, 300, 500] {
        assert_eq!(scene.settle_in(&channel, amount), Outcome::Done);
    }
    assert_eq!(token.asked(&scene.recipient.address), 500);
    // The getter overflows; nothing else adds up what a token says.
    assert!(ChannelClient::new(&scene.env, &channel)
        .try_deposited()
        .is_err());
    assert_eq!(scene.settle_in(&channel, i128::MAX), Outcome::Done);
    assert_eq!(token.asked(&scene.recipient.address), i128::MAX);
}

#[test]
fn a_token_that_calls_back_is_not_answered() {
    let scene = Scene::new();
    let voucher = |channel: &Address| scene.signed_by(&scene.key, channel, 900);
    let functions = [
        "settle",
        "close",
        "close_start",
        "close_start_signed",
        "refund",
        "top_up",
        "withdrawn",
    ];
    for function in functions {
        let (channel, token) = hostile(&scene);
        let sig: BytesN<64> = match function {
            "close_start_signed" => scene.closing_signed_by(&scene.key, &channel),
            _ => voucher(&channel),
        };
        let arguments: Vec<Val> = match function {
            "settle" | "close" => (900i128, sig).into_val_in(&scene),
            "close_start_signed" => (sig,).into_val_in(&scene),
            "top_up" => (1i128,).into_val_in(&scene),
            _ => Vec::new(&scene.env),
        };
        token.call_back(&channel, &Symbol::new(&scene.env, function), &arguments);
        assert_eq!(scene.settle_in(&channel, 400), Outcome::Done, "{function}");
        assert_eq!(scene.close_in(&channel, 500), Outcome::Done, "{function}");
        assert_eq!(scene.call(&channel, "refund", (), &[]), Outcome::Done);
        assert!(!token.was_answered(), "{function}");
        assert_eq!(token.asked(&scene.recipient.address), 500, "{function}");
    }
}

trait IntoArguments {
    fn into_val_in(self, scene: &Scene) -> Vec<Val>;
}

impl<T: soroban_sdk::IntoVal<soroban_sdk::Env, Vec<Val>>> IntoArguments for T {
    fn into_val_in(self, scene: &Scene) -> Vec<Val> {
        self.into_val(&scene.env)
    }
}

#[test]
fn a_token_that_is_no_contract_opens_a_channel_that_pays_nobody() {
    let scene = Scene::new();
    let nothing = Address::generate(&scene.env);
    let terms = scene.terms_with(&nothing, 0);
    let channel = scene.env.register(Channel, terms);
    assert_eq!(scene.settle_in(&channel, 400), Outcome::Failed);
    assert_eq!(scene.close_in(&channel, 400), Outcome::Failed);
    assert_eq!(withdrawn(&scene, &channel), 0);
}

#[test]
fn a_frozen_channel_pays_once_it_is_thawed() {
    let scene = Scene::new();
    scene.issuer_may_interfere();
    scene.issuer().set_authorized(&scene.channel, &false);
    assert_eq!(scene.settle(400), Outcome::Failed);
    assert_eq!(scene.close(400), Outcome::Failed);
    assert_eq!(scene.close_start(), Outcome::Done);
    pass_ledgers(&scene.env, WAIT);
    assert_eq!(scene.refund(), Outcome::Failed);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 0, DEPOSIT));
    scene.issuer().set_authorized(&scene.channel, &true);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
}

#[test]
fn a_frozen_payer_gets_the_rest_once_it_is_thawed() {
    let scene = Scene::new();
    scene.issuer_may_interfere();
    let payer = &scene.payer.address;
    scene.issuer().set_authorized(payer, &false);
    assert_eq!(scene.close(400), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
    assert_eq!(scene.refund(), Outcome::Failed);
    scene.issuer().set_authorized(payer, &true);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
}

#[test]
fn a_frozen_recipient_is_paid_if_it_is_thawed_in_time() {
    let scene = Scene::new();
    scene.issuer_may_interfere();
    let recipient = &scene.recipient.address;
    scene.issuer().set_authorized(recipient, &false);
    assert_eq!(scene.settle(400), Outcome::Failed);
    assert_eq!(scene.client().withdrawn(), 0);
    scene.issuer().set_authorized(recipient, &true);
    assert_eq!(scene.settle(400), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
}

#[test]
fn of_a_deposit_that_the_issuer_took_back_in_part_the_recipient_gets_the_rest() {
    let scene = Scene::new();
    scene.issuer_may_interfere();
    // Clawback has to be allowed when a balance comes to be.
    let channel = scene.twin();
    assert_eq!(scene.deposit_into(&channel, DEPOSIT), Outcome::Done);
    scene.issuer().clawback(&channel, &700);
    assert_eq!(scene.settle_in(&channel, 400), Outcome::Done);
    assert_eq!(scene.balance(&scene.recipient.address), 300);
    assert_eq!(withdrawn(&scene, &channel), 300);
}
