//! Reserve, then reconcile: a budget ends at the actual charge, and no policy's response fails a settlement.

use soroban_sdk::{testutils::Address as _, vec, Address, Env, Val, Vec};
use test_support::{ClassicAccount, Key};

use super::{
    accounts::{
        plain, AnsweringAccount, AnsweringAccountClient, BudgetPolicy, BudgetPolicyClient,
        BudgetedAccount, BudgetedAccountClient,
    },
    sale::{Outcome, Payer, Sale, FUNDS},
};

/// A sale to an account with one policy per budget.
fn budgeted(budgets: &[i128]) -> (Sale, std::vec::Vec<Address>) {
    let mut deployed = std::vec::Vec::new();
    let sale = Sale::to_account(|env, upto, key| {
        let account = env.register(BudgetedAccount, (key.public_in(env),));
        for budget in budgets {
            deployed.push(env.register(BudgetPolicy, (&account, upto, *budget)));
        }
        let policies = Vec::from_slice(env, &deployed);
        BudgetedAccountClient::new(env, &account).attach(&policies);
        account
    });
    (sale, deployed)
}

fn left(sale: &Sale, policy: &Address) -> i128 {
    BudgetPolicyClient::new(&sale.env, policy).left()
}

/// A sale to an account that returns this value from `policies`.
fn answering(answer: impl FnOnce(&Env, &Address) -> Val) -> Sale {
    Sale::to_account(|env, upto, _key| {
        let account = env.register(AnsweringAccount, ());
        AnsweringAccountClient::new(env, &account).answer(&answer(env, upto));
        account
    })
}

fn assert_settles(sale: &Sale) {
    let terms = sale.terms(100, 1);
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(sale.balances(), (FUNDS - 37, 37, 0));
    assert_eq!(sale.settled(&terms), Some(37));
}

#[test]
fn the_budget_ends_at_the_actual_charge() {
    for actual in [0, 1, 37, 100] {
        let (sale, policies) = budgeted(&[1_000]);
        assert_eq!(sale.settle(&sale.terms(100, 1), actual), Outcome::Settled);
        assert_eq!(left(&sale, &policies[0]), 1_000 - actual);
    }
}

#[test]
fn the_ceiling_must_fit_the_budget() {
    let (sale, policies) = budgeted(&[100]);
    assert_eq!(sale.settle(&sale.terms(101, 1), 1), Outcome::Failed);
    assert_eq!(left(&sale, &policies[0]), 100);
    sale.assert_untouched(&sale.terms(101, 1));

    // What was given back can be reserved again.
    assert_eq!(sale.settle(&sale.terms(100, 2), 40), Outcome::Settled);
    assert_eq!(sale.settle(&sale.terms(61, 3), 1), Outcome::Failed);
    assert_eq!(sale.settle(&sale.terms(60, 4), 60), Outcome::Settled);
    assert_eq!(left(&sale, &policies[0]), 0);
}

#[test]
fn every_policy_of_the_account_is_released() {
    let (sale, policies) = budgeted(&[100, 200, 300]);
    assert_eq!(sale.settle(&sale.terms(100, 1), 37), Outcome::Settled);
    let left: std::vec::Vec<i128> = policies.iter().map(|policy| left(&sale, policy)).collect();
    assert_eq!(left, [63, 163, 263]);
}

#[test]
fn five_policies_are_released_and_a_sixth_keeps_the_ceiling() {
    let (sale, policies) = budgeted(&[100; 6]);
    assert_eq!(sale.settle(&sale.terms(100, 1), 37), Outcome::Settled);
    let left: std::vec::Vec<i128> = policies.iter().map(|policy| left(&sale, policy)).collect();
    assert_eq!(left, [63, 63, 63, 63, 63, 0]);
}

#[test]
fn a_failed_settlement_reserves_nothing() {
    let (sale, policies) = budgeted(&[FUNDS * 3]);
    assert_eq!(
        sale.settle(&sale.terms(FUNDS * 2, 1), FUNDS + 1),
        Outcome::Failed
    );
    assert_eq!(left(&sale, &policies[0]), FUNDS * 3);
}

#[test]
fn only_the_settlement_contract_releases() {
    let (sale, policies) = budgeted(&[1_000]);
    let terms = sale.terms(100, 1);
    let released = BudgetPolicyClient::new(&sale.env, &policies[0])
        .set_auths(&[])
        .try_release(&terms.from, &terms.nonce, &0);
    assert!(released.is_err());
}

#[test]
fn a_payer_without_policies_settles() {
    assert_settles(&Sale::new());
    assert_settles(&Sale::to_contract_account());
}

#[test]
fn a_payer_that_returns_something_else_settles() {
    assert_settles(&answering(|env, _| plain(env, 7u32)));
    assert_settles(&answering(|env, _| plain(env, ())));
    assert_settles(&answering(|env, _| plain(env, vec![env, 1u32, 2u32])));
    assert_settles(&answering(|env, _| plain(env, Vec::<Address>::new(env))));
    // No value is configured, so it traps.
    assert_settles(&Sale::to_account(|env, _, _| {
        env.register(AnsweringAccount, ())
    }));
}

#[test]
fn an_address_that_is_not_a_policy_is_skipped() {
    assert_settles(&answering(|env, _| {
        plain(env, vec![env, Address::generate(env)])
    }));
    assert_settles(&answering(|env, upto| plain(env, vec![env, upto.clone()])));
    assert_settles(&answering(|env, _| {
        let asset = env.register_stellar_asset_contract_v2(Address::generate(env));
        let account = ClassicAccount::open(env, Key::of(9), &asset.asset());
        plain(env, vec![env, asset.address(), account.address])
    }));
}

/// Policies that misbehave in `release`.
mod misbehaving {
    use soroban_sdk::{contract, contracterror, contractimpl, Address, BytesN, Env};

    use crate::UptoClient;

    #[contracterror]
    #[derive(Clone, Copy)]
    pub enum Complaint {
        Never = 1,
    }

    #[contract]
    pub struct Refusing;
    #[contractimpl]
    impl Refusing {
        pub fn release(_e: Env, _f: Address, _n: BytesN<32>, _a: i128) -> Result<(), Complaint> {
            Err(Complaint::Never)
        }
    }

    pub mod trapping {
        use soroban_sdk::{contract, contractimpl, Address, BytesN, Env};
        #[contract]
        pub struct Trapping;
        #[contractimpl]
        impl Trapping {
            pub fn release(_e: Env, _f: Address, _n: BytesN<32>, _a: i128) {
                panic!("a policy that traps")
            }
        }
    }

    pub mod reentering {
        use super::*;
        #[contract]
        pub struct Reentering;
        #[contractimpl]
        impl Reentering {
            pub fn __constructor(env: Env, upto: Address) {
                env.storage().instance().set(&0u32, &upto);
            }
            pub fn release(env: Env, from: Address, nonce: BytesN<32>, _actual: i128) {
                let upto: Address = env.storage().instance().get(&0u32).unwrap();
                UptoClient::new(&env, &upto).settled(&from, &nonce);
            }
        }
    }
}

#[test]
fn a_failing_policy_fails_neither_the_settlement_nor_the_release_of_others() {
    use misbehaving::{reentering::Reentering, trapping::Trapping, Refusing};

    let mut sale = answering(|env, upto| {
        plain(
            env,
            vec![
                env,
                env.register(Refusing, ()),
                env.register(Trapping, ()),
                env.register(Reentering, (upto,)),
            ],
        )
    });
    assert_settles(&sale);

    let account = sale.payer.address();
    let policy = sale
        .env
        .register(BudgetPolicy, (&account, &sale.upto, 1_000i128));
    let policies = vec![&sale.env, sale.env.register(Refusing, ()), policy.clone()];
    AnsweringAccountClient::new(&sale.env, &account).answer(&plain(&sale.env, policies));
    // The account does not call the policy, so the reservation is made here.
    let terms = sale.terms(100, 2);
    let context = soroban_sdk::auth::Context::Contract(soroban_sdk::auth::ContractContext {
        contract: sale.upto.clone(),
        fn_name: soroban_sdk::Symbol::new(&sale.env, "settle"),
        args: soroban_sdk::IntoVal::into_val(
            &(
                &terms.token,
                &terms.from,
                &terms.to,
                terms.ceiling,
                terms.expiration,
                &terms.nonce,
            ),
            &sale.env,
        ),
    });
    BudgetPolicyClient::new(&sale.env, &policy)
        .mock_all_auths()
        .enforce(&vec![&sale.env, context]);
    assert_eq!(left(&sale, &policy), 900);
    sale.payer = Payer::Contract(account, Key::of(1));
    assert_eq!(sale.settle(&terms, 37), Outcome::Settled);
    assert_eq!(left(&sale, &policy), 963);
}
