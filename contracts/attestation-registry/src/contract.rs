use soroban_sdk::{
    contract, contractimpl, contracttype, symbol_short, Address, BytesN, Env, Executable, Symbol,
};

use crate::{
    error::Error,
    event::{Attested, AttestorChanged, Revoked},
};

const A_DAY: u32 = 17_280;
/// A year, in ledgers. If the network limits the lifetime of entries further, that limit applies.
pub const LONGEST_LIFE: u32 = 365 * A_DAY;

const ATTESTOR: Symbol = symbol_short!("attestor");

#[contracttype]
#[derive(Clone)]
enum Key {
    Attestation(Address),
}

/// An attestor's statement about a contract.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attestation {
    /// The module that was verified. The attestation does not apply to a contract that runs another module.
    pub wasm_hash: BytesN<32>,
    /// The attestation expires in this ledger.
    pub expires_ledger: u32,
}

#[contract]
pub struct AttestationRegistry;

#[contractimpl]
impl AttestationRegistry {
    pub fn __constructor(env: Env, attestor: Address) {
        env.storage().instance().set(&ATTESTOR, &attestor);
    }

    /// Attests that a contract runs a verified module, and replaces any earlier attestation. Attestor only.
    pub fn attest(
        env: Env,
        contract: Address,
        wasm_hash: BytesN<32>,
        expires_ledger: u32,
    ) -> Result<(), Error> {
        Self::attestor(env.clone()).require_auth();
        let now = env.ledger().sequence();
        let longest_entry = env.ledger().max_live_until_ledger() - now;
        let life = expires_ledger.saturating_sub(now);
        if life == 0 || life > LONGEST_LIFE.min(longest_entry) {
            return Err(Error::InvalidExpiry);
        }
        let key = Key::Attestation(contract.clone());
        let attestation = Attestation {
            wasm_hash: wasm_hash.clone(),
            expires_ledger,
        };
        let entries = env.storage().persistent();
        entries.set(&key, &attestation);
        // Stored a week longer than it is valid, so that later queries still find that it expired.
        let kept = (life + 7 * A_DAY).min(longest_entry);
        entries.extend_ttl(&key, kept, kept);
        let this = env.current_contract_address();
        env.deployer()
            .extend_ttl_for_contract_instance(this, kept, kept);
        Attested {
            contract,
            wasm_hash,
            expires_ledger,
        }
        .publish(&env);
        Ok(())
    }

    /// Revokes a contract's attestation, if there is one. Attestor only.
    pub fn revoke(env: Env, contract: Address) {
        Self::attestor(env.clone()).require_auth();
        env.storage()
            .persistent()
            .remove(&Key::Attestation(contract.clone()));
        Revoked { contract }.publish(&env);
    }

    /// Replaces the attestor. Current attestor only.
    pub fn set_attestor(env: Env, attestor: Address) {
        Self::attestor(env.clone()).require_auth();
        env.storage().instance().set(&ATTESTOR, &attestor);
        AttestorChanged { attestor }.publish(&env);
    }

    pub fn attestor(env: Env) -> Address {
        let stored = env.storage().instance().get(&ATTESTOR);
        stored.expect("the constructor wrote it")
    }

    /// Returns a contract's attestation, valid or not.
    pub fn attestation(env: Env, contract: Address) -> Option<Attestation> {
        env.storage().persistent().get(&Key::Attestation(contract))
    }

    /// Returns whether a contract runs, in this ledger, the module that was verified.
    pub fn is_verified(env: Env, contract: Address) -> bool {
        let Some(said) = Self::attestation(env.clone(), contract.clone()) else {
            return false;
        };
        let now = env.ledger().sequence();
        now < said.expires_ledger && contract.executable() == Some(Executable::Wasm(said.wasm_hash))
    }
}
