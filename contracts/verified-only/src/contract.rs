use account_interface::{calls, lifetime, SignerKey};
use soroban_sdk::{
    auth::Context, contract, contractimpl, contracttype, symbol_short, Address, Env, IntoVal,
    InvokeError, Symbol, Val, Vec,
};

use crate::{error::Error, recipient};

const CONFIG: Symbol = symbol_short!("config");
/// The constructor arguments of a policy. They never change.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub wallet: Address,
    pub registry: Address,
}

/// One instance per account.
#[contract]
pub struct VerifiedOnly;

#[contractimpl]
impl VerifiedOnly {
    pub fn __constructor(env: Env, wallet: Address, registry: Address) {
        let config = Config { wallet, registry };
        env.storage().instance().set(&CONFIG, &config);
    }

    pub fn install(env: Env, wallet: Address) -> Result<(), Error> {
        Self::uninstall(env.clone(), wallet)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Detaches the policy from the account. There is nothing to clean up.
    pub fn uninstall(env: Env, wallet: Address) -> Result<(), Error> {
        check_wallet(&Self::config(env), &wallet)
    }

    /// Refuses unless every recipient is currently attested. It changes nothing, so anyone may call it.
    pub fn policy__(
        env: Env,
        source: Address,
        _signer: SignerKey,
        contexts: Vec<Context>,
    ) -> Result<(), Error> {
        let config = Self::config(env.clone());
        check_wallet(&config, &source)?;
        for call in calls(&contexts).iter() {
            let recipient = recipient::of(&env, &config.wallet, &call)?;
            if !is_verified(&env, &config.registry, &recipient) {
                return Err(Error::NotVerified);
            }
        }
        lifetime::keep_alive(&env);
        Ok(())
    }

    pub fn config(env: Env) -> Config {
        let stored = env.storage().instance().get(&CONFIG);
        stored.expect("the constructor wrote it")
    }
}

fn check_wallet(config: &Config, wallet: &Address) -> Result<(), Error> {
    if *wallet == config.wallet {
        Ok(())
    } else {
        Err(Error::WrongWallet)
    }
}

/// Returns whether the registry attests a contract. A failed call counts as not attested.
fn is_verified(env: &Env, registry: &Address, contract: &Address) -> bool {
    let arguments: Vec<Val> = (contract,).into_val(env);
    let asked = Symbol::new(env, "is_verified");
    let answer = env.try_invoke_contract::<bool, InvokeError>(registry, &asked, arguments);
    matches!(answer, Ok(Ok(true)))
}
