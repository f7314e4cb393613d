use account_interface::{lifetime, Signatures, Signer, SignerKey, SignerStorage, SignerVal};
use soroban_sdk::{
    auth::{Context, CustomAccountInterface},
    contract, contractimpl,
    crypto::Hash,
    Address, BytesN, Env, Vec,
};

use crate::{
    coverage,
    error::Error,
    event::{SignerAdded, SignerRemoved, SignerUpdated, Upgraded},
    lasting::Lasting,
    policies, signers, verify,
};

#[contract]
pub struct SmartAccount;

#[contractimpl]
impl SmartAccount {
    /// The first signer is a persistent owner without an end.
    pub fn __constructor(env: Env, signer: Signer) -> Result<(), Error> {
        let mut lasting = Lasting::none(&env);
        add(&env, signer, &mut lasting)?;
        lasting.store(&env)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Adds a signer. A policy is told, and may refuse. For owners.
    pub fn add_signer(env: Env, signer: Signer) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        add(&env, signer, &mut lasting)?;
        lasting.store(&env)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Removes some signers, then adds others: one signature gives an agent its key and its policies, replaces them, or
    /// takes them back. Each is removed and added as if alone, but an owner may replace the last one. For owners.
    pub fn change_signers(env: Env, remove: Vec<SignerKey>, add: Vec<Signer>) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        for key in remove.iter() {
            self::remove(&env, key, &mut lasting)?;
        }
        for signer in add.iter() {
            self::add(&env, signer, &mut lasting)?;
        }
        lasting.store(&env)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Gives a signer another value, or another place. For owners.
    pub fn update_signer(env: Env, signer: Signer) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        let (key, new, old) = signers::replace(&env, signer, &mut lasting)?;
        lasting.store(&env)?;
        if let SignerKey::Policy(policy) = &key {
            policies::list_again(&env, policy)?;
        }
        lifetime::keep_long(&env);
        SignerUpdated {
            key,
            val: new.value,
            storage: new.storage,
            old_storage: old.storage,
        }
        .publish(&env);
        Ok(())
    }

    /// Removes a signer; a policy is not asked. A policy whose temporary entry has lapsed leaves the list of policies.
    /// For owners, and for the signer itself.
    pub fn remove_signer(env: Env, signer_key: SignerKey) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        remove(&env, signer_key, &mut lasting)?;
        lasting.store(&env)
    }

    /// Puts another module in the place of this one. It must be one that keeps the signers: nothing checks that. For
    /// owners.
    pub fn upgrade(env: Env, new_wasm_hash: BytesN<32>) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        env.deployer()
            .update_current_contract_wasm(new_wasm_hash.clone());
        Upgraded {
            new_hash: new_wasm_hash,
        }
        .publish(&env);
        Ok(())
    }

    /// What is stored of a signer, expired or not.
    pub fn get_signer(env: Env, signer_key: SignerKey) -> Option<SignerVal> {
        signers::find(&env, &signer_key).map(|stored| stored.value)
    }

    /// The policies among the signers, at most five: those that the settlement contract tells what was spent.
    pub fn policies(env: Env) -> Vec<Address> {
        policies::list(&env)
    }
}

fn add(env: &Env, signer: Signer, lasting: &mut Lasting) -> Result<(), Error> {
    let (key, stored) = signers::add(env, signer, lasting)?;
    if let SignerKey::Policy(policy) = &key {
        policies::attach(env, policy)?;
    }
    SignerAdded {
        key,
        val: stored.value,
        storage: stored.storage,
    }
    .publish(env);
    Ok(())
}

fn remove(env: &Env, key: SignerKey, lasting: &mut Lasting) -> Result<(), Error> {
    let listed = match &key {
        SignerKey::Policy(policy) => policies::detach(env, policy),
        _ => false,
    };
    let storage = match signers::remove(env, &key, lasting) {
        Ok(old) => old.storage,
        Err(Error::SignerNotFound) if listed => SignerStorage::Temporary,
        Err(error) => return Err(error),
    };
    SignerRemoved { key, storage }.publish(env);
    Ok(())
}

#[contractimpl]
impl CustomAccountInterface for SmartAccount {
    type Error = Error;
    type Signature = Signatures;

    /// Verifies who signed, then whether they may: in this order, so that nobody moves a policy without a signature.
    fn __check_auth(
        env: Env,
        signature_payload: Hash<32>,
        signatures: Signatures,
        auth_contexts: Vec<Context>,
    ) -> Result<(), Error> {
        let keys = verify::verify(&env, &signature_payload, &signatures)?;
        coverage::check(&env, &keys, &auth_contexts)?;
        lifetime::keep_alive(&env);
        Ok(())
    }
}
