//! The signers in storage, and how many of them are there to stay.

use account_interface::{Signer, SignerKey, SignerStorage, SignerVal};
use soroban_sdk::{contracttype, symbol_short, Env, Symbol};

use crate::{
    error::Error,
    lifetime::{MONTH, NEARLY_OVER, WEEK},
    policies::MOST_POLICIES,
};

const LASTING: Symbol = symbol_short!("lasting");

/// Keys that are persistent and have no end: only these are certain to be there tomorrow.
#[contracttype]
#[derive(Clone, Copy, Default)]
struct Lasting {
    keys: u32,
    owners: u32,
}

/// What is stored of a signer, and where.
pub struct Stored {
    pub value: SignerVal,
    pub storage: SignerStorage,
}

pub fn find(env: &Env, key: &SignerKey) -> Option<Stored> {
    if let Some(value) = env.storage().persistent().get(key) {
        let storage = SignerStorage::Persistent;
        return Some(Stored { value, storage });
    }
    let value = env.storage().temporary().get(key)?;
    let storage = SignerStorage::Temporary;
    Some(Stored { value, storage })
}

/// Prolongs the life of a signer's entry when it is nearly over.
pub fn keep_alive(env: &Env, key: &SignerKey, storage: &SignerStorage) {
    match storage {
        SignerStorage::Persistent => {
            let entries = env.storage().persistent();
            entries.extend_ttl(key, NEARLY_OVER, WEEK);
        }
        // Such an entry ends when nobody wants it any more: using it shows that somebody does.
        SignerStorage::Temporary => {
            let entries = env.storage().temporary();
            entries.extend_ttl(key, NEARLY_OVER, WEEK);
        }
    }
}

/// Writes a signer that is new.
pub fn add(env: &Env, signer: Signer) -> Result<(SignerKey, Stored), Error> {
    let (key, value, storage) = signer.parts();
    check_grants(&value)?;
    if find(env, &key).is_some() {
        return Err(Error::SignerAlreadyExists);
    }
    let stored = Stored { value, storage };
    write(env, &key, &stored);
    count(env, None, Some(&stored))?;
    Ok((key, stored))
}

/// Writes a signer that is there in place of what it was. Gives the new and the old.
pub fn replace(env: &Env, signer: Signer) -> Result<(SignerKey, Stored, Stored), Error> {
    let (key, value, storage) = signer.parts();
    check_grants(&value)?;
    let old = find(env, &key).ok_or(Error::SignerNotFound)?;
    let new = Stored { value, storage };
    erase(env, &key, &old.storage);
    write(env, &key, &new);
    count(env, Some(&old), Some(&new))?;
    Ok((key, new, old))
}

pub fn remove(env: &Env, key: &SignerKey) -> Result<Stored, Error> {
    let old = find(env, key).ok_or(Error::SignerNotFound)?;
    erase(env, key, &old.storage);
    count(env, Some(&old), None)?;
    Ok(old)
}

/// A list longer than this could not be asked within a transaction's means.
fn check_grants(value: &SignerVal) -> Result<(), Error> {
    let Some(grants) = &value.limits().0 else {
        return Ok(());
    };
    for approvers in grants.values() {
        if approvers.is_some_and(|approvers| approvers.len() > MOST_POLICIES) {
            return Err(Error::TooManyApprovers);
        }
    }
    Ok(())
}

fn write(env: &Env, key: &SignerKey, stored: &Stored) {
    match stored.storage {
        SignerStorage::Persistent => {
            let entries = env.storage().persistent();
            entries.set(key, &stored.value);
            entries.extend_ttl(key, MONTH, MONTH);
        }
        SignerStorage::Temporary => {
            let entries = env.storage().temporary();
            entries.set(key, &stored.value);
            let now = env.ledger().sequence();
            let life = match stored.value.expiration() {
                Some(last) => last.saturating_sub(now),
                None => MONTH,
            };
            let life = life.min(env.ledger().max_live_until_ledger() - now);
            entries.extend_ttl(key, life, life);
        }
    }
}

fn erase(env: &Env, key: &SignerKey, storage: &SignerStorage) {
    match storage {
        SignerStorage::Persistent => env.storage().persistent().remove(key),
        SignerStorage::Temporary => env.storage().temporary().remove(key),
    }
}

/// Counts what stays, and refuses to lose the last of it: nobody could change the account after that.
fn count(env: &Env, old: Option<&Stored>, new: Option<&Stored>) -> Result<(), Error> {
    let instance = env.storage().instance();
    let mut lasting: Lasting = instance.get(&LASTING).unwrap_or_default();
    if let Some(signer) = new {
        lasting.keys += u32::from(is_lasting(signer));
        lasting.owners += u32::from(is_lasting_owner(signer));
    }
    if let Some(signer) = old {
        lasting.keys -= u32::from(is_lasting(signer));
        lasting.owners -= u32::from(is_lasting_owner(signer));
    }
    if lasting.keys == 0 {
        return Err(Error::LastSigner);
    }
    if lasting.owners == 0 {
        return Err(Error::LastAdminSigner);
    }
    instance.set(&LASTING, &lasting);
    Ok(())
}

fn is_lasting(signer: &Stored) -> bool {
    signer.storage == SignerStorage::Persistent
        && signer.value.expiration().is_none()
        && !matches!(signer.value, SignerVal::Policy(..))
}

fn is_lasting_owner(signer: &Stored) -> bool {
    is_lasting(signer) && signer.value.limits().0.is_none()
}
