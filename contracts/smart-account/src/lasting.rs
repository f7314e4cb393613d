//! The signers that are certain to remain: persistent keys without an expiration. An account keeps at least one owner
//! among them, because no one could change the account after the last owner is gone.

use account_interface::{SignerKey, SignerStorage, SignerVal};
use soroban_sdk::{contracttype, symbol_short, Env, Symbol, Vec};

use crate::{
    curve::{is_ed25519_key, is_p256_key},
    error::Error,
    signers::Stored,
};

const KEPT: Symbol = symbol_short!("kept");

#[contracttype]
struct Kept {
    /// The number of lasting keys, both owners and others.
    keys: u32,
    /// The keys of the lasting owners. A module that ran before this one did not record its owners here: they are
    /// unknown, and none of them counts as one that remains.
    owners: Vec<SignerKey>,
}

/// The lasting signers during a change to the account. [`Lasting::store`] checks the change as a whole.
pub struct Lasting {
    kept: Kept,
    /// Whether an owner was removed, so that another must remain.
    lost: bool,
}

impl Lasting {
    /// Returns the lasting signers of a new account, which needs an owner.
    pub fn none(env: &Env) -> Self {
        let owners = Vec::new(env);
        Self {
            kept: Kept { keys: 0, owners },
            lost: true,
        }
    }

    pub fn load(env: &Env) -> Self {
        let stored = env.storage().instance().get(&KEPT);
        Self {
            kept: stored.unwrap_or_else(|| Self::none(env).kept),
            lost: false,
        }
    }

    /// Records a signer that was written.
    pub fn gain(&mut self, key: &SignerKey, signer: &Stored) {
        if !lasts(signer) {
            return;
        }
        self.kept.keys += 1;
        if owns(key, signer) {
            self.kept.owners.push_back(key.clone());
        }
    }

    /// Records that a signer was deleted.
    pub fn lose(&mut self, key: &SignerKey, signer: &Stored) {
        if !lasts(signer) {
            return;
        }
        self.kept.keys = self.kept.keys.saturating_sub(1);
        let owners = &mut self.kept.owners;
        if let Some(at) = owners.first_index_of(key) {
            owners.remove(at);
            self.lost = true;
        } else if owns(key, signer) {
            self.lost = true;
        }
    }

    /// Refuses a change that removes an owner unless another owner is known to remain.
    pub fn store(self, env: &Env) -> Result<(), Error> {
        let Self { kept, lost } = self;
        if lost && kept.owners.is_empty() {
            return Err(match kept.keys {
                0 => Error::LastSigner,
                _ => Error::LastAdminSigner,
            });
        }
        env.storage().instance().set(&KEPT, &kept);
        Ok(())
    }
}

fn lasts(signer: &Stored) -> bool {
    signer.storage == SignerStorage::Persistent
        && signer.value.expiration().is_none()
        && !matches!(signer.value, SignerVal::Policy(..))
}

/// Returns whether a lasting signer is an owner that can sign: its key must be a point of its curve.
fn owns(key: &SignerKey, signer: &Stored) -> bool {
    if signer.value.limits().0.is_some() {
        return false;
    }
    match (key, &signer.value) {
        (SignerKey::Ed25519(key), _) => is_ed25519_key(&key.to_array()),
        (_, SignerVal::Secp256r1(key, ..)) => is_p256_key(&key.to_array()),
        _ => false,
    }
}
