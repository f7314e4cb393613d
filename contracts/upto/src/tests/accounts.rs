//! Accounts and policies of payers, both well-behaved and hostile.

use soroban_sdk::{xdr::ScVal, Address, BytesN, Env, TryFromVal, Val};
use test_support::{Authorization, Key};

pub use answering::{AnsweringAccount, AnsweringAccountClient};
pub use budget::{BudgetPolicy, BudgetPolicyClient};
pub use budgeted::{BudgetedAccount, BudgetedAccountClient};

/// Deploys an account with one key and nothing else: it has no `policies`.
pub fn key_account(env: &Env, key: &Key) -> Address {
    env.register(key_only::KeyAccount, (key.public_in(env),))
}

/// Returns the signature that these accounts expect: the 64 bytes of Ed25519.
pub fn sign_as_contract(env: &Env, key: &Key, authorization: &Authorization) -> ScVal {
    let signature = BytesN::from_array(env, &key.sign(&authorization.payload(env)));
    ScVal::try_from_val(env, &signature.to_val()).expect("a value of the ledger")
}

mod key_only {
    use soroban_sdk::{
        auth::{Context, CustomAccountInterface},
        contract, contractimpl,
        crypto::Hash,
        symbol_short, BytesN, Env, Error, Vec,
    };

    #[contract]
    pub struct KeyAccount;

    #[contractimpl]
    impl KeyAccount {
        pub fn __constructor(env: Env, key: BytesN<32>) {
            env.storage().instance().set(&symbol_short!("key"), &key);
        }
    }

    #[contractimpl]
    impl CustomAccountInterface for KeyAccount {
        type Error = Error;
        type Signature = BytesN<64>;

        fn __check_auth(
            env: Env,
            payload: Hash<32>,
            signature: BytesN<64>,
            _contexts: Vec<Context>,
        ) -> Result<(), Error> {
            let key: BytesN<32> = env.storage().instance().get(&symbol_short!("key")).unwrap();
            env.crypto()
                .ed25519_verify(&key, &payload.into(), &signature);
            Ok(())
        }
    }
}

/// An account that lets policies decide, and lists them.
mod budgeted {
    use soroban_sdk::{
        auth::{Context, CustomAccountInterface},
        contract, contractimpl,
        crypto::Hash,
        symbol_short, Address, BytesN, Env, Error, Vec,
    };

    use super::budget::BudgetPolicyClient;

    #[contract]
    pub struct BudgetedAccount;

    #[contractimpl]
    impl BudgetedAccount {
        pub fn __constructor(env: Env, key: BytesN<32>) {
            env.storage().instance().set(&symbol_short!("key"), &key);
        }

        pub fn attach(env: Env, policies: Vec<Address>) {
            let instance = env.storage().instance();
            instance.set(&symbol_short!("policies"), &policies);
        }

        pub fn policies(env: Env) -> Vec<Address> {
            let instance = env.storage().instance();
            instance.get(&symbol_short!("policies")).unwrap()
        }
    }

    #[contractimpl]
    impl CustomAccountInterface for BudgetedAccount {
        type Error = Error;
        type Signature = BytesN<64>;

        fn __check_auth(
            env: Env,
            payload: Hash<32>,
            signature: BytesN<64>,
            contexts: Vec<Context>,
        ) -> Result<(), Error> {
            let key: BytesN<32> = env.storage().instance().get(&symbol_short!("key")).unwrap();
            env.crypto()
                .ed25519_verify(&key, &payload.into(), &signature);
            for policy in Self::policies(env.clone()).iter() {
                BudgetPolicyClient::new(&env, &policy).enforce(&contexts);
            }
            Ok(())
        }
    }
}

/// A policy with a budget: `enforce` reserves the ceiling, and `release` gives back the rest.
mod budget {
    use soroban_sdk::{
        auth::{Context, ContractContext},
        contract, contracterror, contractimpl, contracttype, panic_with_error, Address, BytesN,
        Env, Symbol, TryFromVal, Vec,
    };

    #[contracttype]
    pub enum Key {
        Account,
        Settlement,
        Left,
        Reserved(BytesN<32>),
    }

    #[contracterror]
    #[derive(Clone, Copy)]
    pub enum Refusal {
        OverBudget = 1,
    }

    #[contract]
    pub struct BudgetPolicy;

    #[contractimpl]
    impl BudgetPolicy {
        pub fn __constructor(env: Env, account: Address, settlement: Address, budget: i128) {
            let instance = env.storage().instance();
            instance.set(&Key::Account, &account);
            instance.set(&Key::Settlement, &settlement);
            instance.set(&Key::Left, &budget);
        }

        pub fn enforce(env: Env, contexts: Vec<Context>) {
            let instance = env.storage().instance();
            let account: Address = instance.get(&Key::Account).unwrap();
            account.require_auth();
            for context in contexts.iter() {
                let Context::Contract(ContractContext { fn_name, args, .. }) = context else {
                    continue;
                };
                if fn_name != Symbol::new(&env, "settle") {
                    continue;
                }
                let ceiling = i128::try_from_val(&env, &args.get_unchecked(3)).unwrap();
                let nonce = BytesN::<32>::try_from_val(&env, &args.get_unchecked(5)).unwrap();
                let left: i128 = instance.get(&Key::Left).unwrap();
                if ceiling > left {
                    panic_with_error!(&env, Refusal::OverBudget);
                }
                instance.set(&Key::Left, &(left - ceiling));
                instance.set(&Key::Reserved(nonce), &ceiling);
            }
        }

        pub fn release(env: Env, from: Address, nonce: BytesN<32>, actual: i128) {
            let instance = env.storage().instance();
            instance
                .get::<_, Address>(&Key::Settlement)
                .unwrap()
                .require_auth();
            assert_eq!(Some(from), instance.get(&Key::Account));
            let reservation = Key::Reserved(nonce);
            let ceiling: i128 = instance.get(&reservation).unwrap();
            let left: i128 = instance.get(&Key::Left).unwrap();
            instance.set(&Key::Left, &(left + ceiling - actual));
            instance.remove(&reservation);
        }

        pub fn left(env: Env) -> i128 {
            env.storage().instance().get(&Key::Left).unwrap()
        }
    }
}

/// An account that authorizes everything, and returns a configured value from `policies`.
mod answering {
    use soroban_sdk::{
        auth::{Context, CustomAccountInterface},
        contract, contractimpl,
        crypto::Hash,
        symbol_short, Env, Error, Val, Vec,
    };

    #[contract]
    pub struct AnsweringAccount;

    #[contractimpl]
    impl AnsweringAccount {
        pub fn answer(env: Env, answer: Val) {
            let instance = env.storage().instance();
            instance.set(&symbol_short!("answer"), &answer);
        }

        /// Traps if no value is configured.
        pub fn policies(env: Env) -> Val {
            let instance = env.storage().instance();
            instance.get(&symbol_short!("answer")).unwrap()
        }
    }

    #[contractimpl]
    impl CustomAccountInterface for AnsweringAccount {
        type Error = Error;
        type Signature = Val;

        fn __check_auth(
            _env: Env,
            _payload: Hash<32>,
            _signature: Val,
            _contexts: Vec<Context>,
        ) -> Result<(), Error> {
            Ok(())
        }
    }
}

/// Converts a value unchanged, for an [`AnsweringAccount`].
pub fn plain(env: &Env, value: impl soroban_sdk::IntoVal<Env, Val>) -> Val {
    value.into_val(env)
}
