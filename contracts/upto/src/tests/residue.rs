//! No one can use what an approve leaves (the ceiling minus the actual amount, until the authorization expires).

use soroban_sdk::{testutils::Address as _, xdr::ScVal, Address, IntoVal};
use test_support::{pass_ledgers, Authorization, ClassicAccount, Credentials, Key};

use super::{
    accounts::AnsweringAccount,
    sale::{Outcome, Payer, Sale, Terms, FUNDS},
};

/// A sale that leaves an allowance of 63.
fn with_residue() -> (Sale, Terms) {
    let sale = Sale::new();
    let terms = sale.terms(100, 1);
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(sale.allowance(), 63);
    (sale, terms)
}

#[test]
fn the_residue_ends_with_the_authorization() {
    let (sale, terms) = with_residue();
    pass_ledgers(&sale.env, terms.expiration - sale.env.ledger().sequence());
    assert_eq!(sale.allowance(), 63);
    pass_ledgers(&sale.env, 1);
    assert_eq!(sale.allowance(), 0);
}

#[test]
fn a_later_settlement_cannot_use_the_residue() {
    let (sale, _) = with_residue();
    let next = sale.terms(50, 2);
    let without_approve = sale.sign(sale.root(&next, &[]));
    assert_eq!(sale.present(&next, 1, &[without_approve]), Outcome::Failed);
    assert_eq!(sale.settled(&next), None);
    assert_eq!(sale.balances(), (FUNDS - 37, 37, 0));
}

#[test]
fn a_later_settlement_replaces_the_residue() {
    let (sale, _) = with_residue();
    assert_eq!(sale.settle(&sale.terms(50, 2), 50), Outcome::Settled);
    assert_eq!(sale.allowance(), 0);
    assert_eq!(sale.settle(&sale.terms(50, 3), 1), Outcome::Settled);
    assert_eq!(sale.allowance(), 49);
}

#[test]
fn no_one_draws_on_the_residue_in_the_contracts_name() {
    let (sale, _) = with_residue();
    let thief = Address::generate(&sale.env);
    let payer = sale.payer.address();
    let root = sale.call(
        &sale.token,
        "transfer_from",
        (&sale.upto, &payer, &thief, 1i128),
    );
    let in_its_name = |credentials| {
        Authorization {
            credentials,
            address: sale.upto.clone(),
            nonce: 1,
            expiration: sale.env.ledger().sequence() + 100,
            root: root.clone(),
        }
        .signed(ScVal::Void)
    };
    for authorizations in [
        std::vec![],
        std::vec![in_its_name(Credentials::Address)],
        std::vec![in_its_name(Credentials::AddressBound)],
        std::vec![sale.sign(root.clone())],
    ] {
        let drawn = sale
            .tokens()
            .set_auths(&authorizations)
            .try_transfer_from(&sale.upto, &payer, &thief, &1);
        assert!(drawn.is_err());
    }
    assert_eq!(sale.balance(&thief), 0);
    assert_eq!(sale.allowance(), 63);
}

/// A contract that tries to draw on a victim's allowance whenever the settlement contract calls it.
mod thief {
    use soroban_sdk::{
        contract, contractimpl, symbol_short, token::TokenClient, vec, Address, BytesN, Env, Vec,
    };

    #[contract]
    pub struct Thief;

    fn steal(env: &Env) {
        let (token, upto, victim): (Address, Address, Address) = env
            .storage()
            .instance()
            .get(&symbol_short!("loot"))
            .unwrap();
        let thief = env.current_contract_address();
        let drawn = TokenClient::new(env, &token).try_transfer_from(&upto, &victim, &thief, &1);
        let tried: u32 = env
            .storage()
            .instance()
            .get(&symbol_short!("tried"))
            .unwrap_or(0);
        env.storage()
            .instance()
            .set(&symbol_short!("tried"), &(tried + 1));
        assert!(drawn.is_err());
    }

    #[contractimpl]
    impl Thief {
        pub fn __constructor(env: Env, token: Address, upto: Address, victim: Address) {
            let loot = (token, upto, victim);
            env.storage().instance().set(&symbol_short!("loot"), &loot);
        }

        pub fn tried(env: Env) -> u32 {
            env.storage()
                .instance()
                .get(&symbol_short!("tried"))
                .unwrap_or(0)
        }

        // As a token.
        pub fn approve(env: Env, _from: Address, _spender: Address, _amount: i128, _until: u32) {
            steal(&env);
        }
        pub fn transfer_from(env: Env, _s: Address, _from: Address, _to: Address, _amount: i128) {
            steal(&env);
        }

        // As an account and as a policy.
        pub fn policies(env: Env) -> Vec<Address> {
            steal(&env);
            vec![&env]
        }
        pub fn release(env: Env, _from: Address, _nonce: BytesN<32>, _actual: i128) {
            steal(&env);
        }

        // As an account: authorizes everything.
        #[allow(non_snake_case)]
        pub fn __check_auth(env: Env, _payload: BytesN<32>, _s: (), _c: Vec<soroban_sdk::Val>) {
            steal(&env);
        }
    }
}

#[test]
fn no_contract_that_a_settlement_calls_draws_on_the_residue() {
    use thief::{Thief, ThiefClient};

    // The thief is the token, and the payer is its accomplice.
    let (mut sale, _) = with_residue();
    let victim = sale.payer.address();
    let loot = (sale.token.clone(), sale.upto.clone(), victim.clone());
    let token = sale.env.register(Thief, loot.clone());
    let accomplice = ClassicAccount::open(&sale.env, Key::of(2), &sale.asset);
    sale.payer = Payer::Classic(accomplice);
    let terms = Terms {
        token: token.clone(),
        ..sale.terms(100, 2)
    };
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(ThiefClient::new(&sale.env, &token).tried(), 2);

    // The thief is the payer's policy.
    let policy = sale.env.register(Thief, loot.clone());
    let account = sale.env.register(AnsweringAccount, ());
    let answer = soroban_sdk::vec![&sale.env, policy.clone()];
    super::accounts::AnsweringAccountClient::new(&sale.env, &account)
        .answer(&answer.into_val(&sale.env));
    sale.fund(&account, 100);
    sale.payer = Payer::Contract(account, Key::of(2));
    assert_eq!(sale.settle(&sale.terms(100, 3), 37), Outcome::Settled);
    assert_eq!(ThiefClient::new(&sale.env, &policy).tried(), 1);

    // The thief is the payer.
    let account = sale.env.register(Thief, loot);
    sale.fund(&account, 100);
    sale.payer = Payer::Contract(account.clone(), Key::of(2));
    let terms = sale.terms(100, 4);
    let entry = Authorization {
        credentials: Credentials::Address,
        address: account.clone(),
        nonce: 1,
        expiration: terms.expiration,
        root: sale.root(&terms, &[sale.approve(&terms)]),
    }
    .signed(ScVal::Void);
    assert_eq!(sale.present(&terms, 37, &[entry]), Outcome::Settled);
    assert_eq!(ThiefClient::new(&sale.env, &account).tried(), 2);

    assert_eq!(sale.balance(&victim), FUNDS - 37);
    assert_eq!(sale.tokens().allowance(&victim, &sale.upto), 63);
}
