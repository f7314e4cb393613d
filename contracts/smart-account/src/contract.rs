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
    /// Adds the first signer, which must be a persistent owner without an expiration.
    pub fn __constructor(env: Env, signer: Signer) -> Result<(), Error> {
        let mut lasting = Lasting::none(&env);
        add(&env, signer, &mut lasting)?;
        lasting.store(&env)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Adds a signer. A policy's `install` is called, and may refuse. Owners only.
    pub fn add_signer(env: Env, signer: Signer) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        add(&env, signer, &mut lasting)?;
        lasting.store(&env)?;
        lifetime::keep_long(&env);
        Ok(())
    }

    /// Removes signers, then adds others: one signature gives an agent its key and its policies, replaces them, or
    /// revokes them. Each is removed or added as if alone, except that the last owner may be replaced. Owners only.
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

    /// Changes a signer's value or storage. Owners only.
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

    /// Removes a signer; a policy is not called. A policy whose temporary entry has lapsed is removed from the list of
    /// policies. Only for owners and the signer itself.
    pub fn remove_signer(env: Env, signer_key: SignerKey) -> Result<(), Error> {
        env.current_contract_address().require_auth();
        let mut lasting = Lasting::load(&env);
        remove(&env, signer_key, &mut lasting)?;
        lasting.store(&env)
    }

    /// Replaces the account's module with another one. The new module must keep the signers: nothing checks whether it
    /// does. Owners only.
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

    /// Returns the stored value of a signer, expired or not.
    pub fn get_signer(env: Env, signer_key: SignerKey) -> Option<SignerVal> {
        signers::find(&env, &signer_key).map(|stored| stored.value)
    }

    /// Returns the policies among the signers, at most five. The settlement contract reports to them what was spent.
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

    /// Verifies the signatures before checking what they allow, so that no policy changes its state without one.
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
