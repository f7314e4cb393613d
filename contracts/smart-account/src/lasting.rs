//! The signers that are certain to exist tomorrow: persistent keys without an end. An account keeps an owner among
//! them, since nobody could change it after the last one is gone.

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
    /// How many lasting keys there are, owners and others.
    keys: u32,
    /// The lasting owners, by name. Another module that ran before this one did not write its own here: they are not
    /// known, and none of them is taken for one that stays.
    owners: Vec<SignerKey>,
}

/// The lasting signers while a change of the account is written. The change is judged as a whole, by [`Lasting::store`].
pub struct Lasting {
    kept: Kept,
    /// Whether an owner was lost, so that another must stay.
    lost: bool,
}

impl Lasting {
    /// Those of a new account, which needs an owner.
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

    /// Counts a signer that was written.
    pub fn gain(&mut self, key: &SignerKey, signer: &Stored) {
        if !lasts(signer) {
            return;
        }
        self.kept.keys += 1;
        if owns(key, signer) {
            self.kept.owners.push_back(key.clone());
        }
    }

    /// Counts a signer that was erased.
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

    /// Refuses a change that loses an owner where no other is known to stay.
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

/// Whether a lasting signer is an owner that can sign: its key must be a point of its curve.
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
