use account_interface::{Signatures, Signer, SignerKey, SignerVal};
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
    lifetime, policies, signers, verify,
};

#[contract]
pub struct SmartAccount;

#[contractimpl]
impl SmartAccount {
    /// The first signer is a persistent owner without an end.
    pub fn __constructor(env: Env, signer: Signer) -> Result<(), Error> {
        let (key, stored) = signers::add(&env, signer)?;
        lifetime::keep_long(&env);
        SignerAdded {
            key,
            val: stored.value,
            storage: stored.storage,
        }
        .publish(&env);
        Ok(())
    }

    /// Adds a signer. A policy is told, and may refuse. For owners.
    pub fn add_signer(env: Env, signer: Signer) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let (key, stored) = signers::add(&env, signer)?;
        if let SignerKey::Policy(policy) = &key {
            policies::attach(&env, policy)?;
        }
        lifetime::keep_long(&env);
        SignerAdded {
            key,
            val: stored.value,
            storage: stored.storage,
        }
        .publish(&env);
        Ok(())
    }

    /// Gives a signer another value, or another place. For owners.
    pub fn update_signer(env: Env, signer: Signer) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let (key, new, old) = signers::replace(&env, signer)?;
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

    /// Removes a signer. A policy is not asked. For owners, and for the signer itself.
    pub fn remove_signer(env: Env, signer_key: SignerKey) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let old = signers::remove(&env, &signer_key)?;
        if let SignerKey::Policy(policy) = &signer_key {
            policies::detach(&env, policy);
        }
        SignerRemoved {
            key: signer_key,
            storage: old.storage,
        }
        .publish(&env);
        Ok(())
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
