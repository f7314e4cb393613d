//! The committed and deployed module, in the host's own virtual machine.

use std::println;

use soroban_sdk::BytesN;
use test_support::pass_ledgers;

use super::scene::{Outcome, Scene, DEPOSIT, FUNDS, WAIT};
use crate::Error;

/// A factory: it deploys and asks nobody.
mod factory {
    use soroban_sdk::{contract, contractimpl, Address, BytesN, Env};

    use super::super::scene::Terms;

    #[contract]
    pub struct Factory;

    #[contractimpl]
    impl Factory {
        pub fn address(env: Env, salt: BytesN<32>) -> Address {
            let deployer = env.deployer().with_current_contract(salt);
            deployer.deployed_address()
        }

        pub fn deploy(env: Env, module: BytesN<32>, salt: BytesN<32>, terms: Terms) -> Address {
            let deployer = env.deployer().with_current_contract(salt);
            deployer.deploy_v2(module, terms)
        }
    }
}

const WASM: &[u8] = include_bytes!("../../../wasm/channel.wasm");

#[test]
fn the_module_pays_closes_and_refuses_like_its_source() {
    let scene = Scene::running(WASM);
    assert_eq!(scene.settle(400), Outcome::Done);
    println!("settle: {:?}", scene.env.cost_estimate().resources());
    assert_eq!(scene.balances(), (FUNDS - DEPOSIT, 400, 600));
    assert_eq!(scene.settle(-1), Outcome::Refused(Error::NegativeAmount));
    let forged = scene.signed_by(&test_support::Key::of(9), &scene.channel, 500);
    let settled = scene.call(&scene.channel, "settle", (500i128, forged), &[]);
    assert_eq!(settled, Outcome::Failed);
    assert_eq!(scene.refund(), Outcome::Refused(Error::NotClosing));
    assert_eq!(scene.top_up(100), Outcome::Done);
    assert_eq!(scene.close_start_signed(), Outcome::Done);
    let already = Outcome::Refused(Error::AlreadyClosing);
    assert_eq!(scene.close_start(), already);
    pass_ledgers(&scene.env, WAIT - 1);
    assert_eq!(scene.refund(), Outcome::Refused(Error::TooEarly));
    pass_ledgers(&scene.env, 1);
    assert_eq!(scene.refund(), Outcome::Done);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
    let client = scene.client();
    assert_eq!(client.token(), scene.token);
    assert_eq!(client.from(), scene.payer.address);
    assert_eq!(client.to(), scene.recipient.address);
    assert_eq!(client.commitment_key(), scene.key.public_in(&scene.env));
    assert_eq!(client.refund_waiting_period(), WAIT);
    assert_eq!((client.balance(), client.withdrawn()), (0, 400));
    assert_eq!(client.deposited(), 400);
    let prepared = client.prepare_commitment(&7);
    let sig = scene.signature(&scene.key, &prepared);
    let settled = scene.call(&scene.channel, "settle", (7i128, sig), &[]);
    assert_eq!(settled, Outcome::Done);
}

#[test]
fn the_module_closes_for_the_recipient() {
    let scene = Scene::running(WASM);
    assert_eq!(scene.close(400), Outcome::Done);
    println!("close: {:?}", scene.env.cost_estimate().resources());
    assert_eq!(scene.events(), ["transfer", "close", "transfer", "refund"]);
    assert_eq!(scene.balances(), (FUNDS - 400, 400, 0));
}

#[test]
fn a_channel_opens_with_a_transfer_that_the_payer_signed_and_nothing_else() {
    let scene = Scene::new();
    let factory = scene.env.register(factory::Factory, ());
    let module = scene.env.deployer().upload_contract_wasm(WASM);
    let salt = BytesN::from_array(&scene.env, &[7; 32]);
    let there = factory::FactoryClient::new(&scene.env, &factory).address(&salt);
    let deploy = |amount: i128, signed: i128| {
        let transfer = scene.transfer_of(&scene.payer.address, &there, signed);
        let entry = scene.sign(&scene.payer, transfer);
        let arguments = (module.clone(), salt.clone(), scene.terms(amount));
        scene.call(&factory, "deploy", arguments, &[entry])
    };
    assert_eq!(deploy(300, 299), Outcome::Failed);
    let arguments = (module.clone(), salt.clone(), scene.terms(300));
    let unsigned = scene.call(&factory, "deploy", arguments, &[]);
    assert_eq!(unsigned, Outcome::Failed);
    assert!(!there.exists());
    assert_eq!(deploy(300, 300), Outcome::Done);
    assert_eq!(scene.events(), ["transfer", "open"]);
    assert_eq!(scene.balance(&there), 300);
}
