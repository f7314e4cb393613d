//! Reads and writes signers in storage.

use account_interface::{
    lifetime::{MONTH, NEARLY_OVER, WEEK},
    Signer, SignerKey, SignerStorage, SignerVal,
};
use soroban_sdk::{Env, FromVal, Val};

use crate::{error::Error, lasting::Lasting, policies::MOST_POLICIES};

/// A signer's stored value, and its storage.
pub struct Stored {
    pub value: SignerVal,
    pub storage: SignerStorage,
}

pub fn find(env: &Env, key: &SignerKey) -> Option<Stored> {
    // Decoded in one place for both kinds of storage, because each payment pays for the code that decodes.
    let (value, storage): (Val, _) = match env.storage().persistent().get(key) {
        Some(value) => (value, SignerStorage::Persistent),
        None => (
            env.storage().temporary().get(key)?,
            SignerStorage::Temporary,
        ),
    };
    let value = SignerVal::from_val(env, &value);
    Some(Stored { value, storage })
}

/// Extends the lifetime of a signer's entry if it is about to end.
pub fn keep_alive(env: &Env, key: &SignerKey, storage: &SignerStorage) {
    match storage {
        SignerStorage::Persistent => {
            let entries = env.storage().persistent();
            entries.extend_ttl(key, NEARLY_OVER, WEEK);
        }
        // A temporary entry ends when no one needs it any more; using it shows that someone does.
        SignerStorage::Temporary => {
            let entries = env.storage().temporary();
            entries.extend_ttl(key, NEARLY_OVER, WEEK);
        }
    }
}

/// Writes a new signer.
pub fn add(env: &Env, signer: Signer, lasting: &mut Lasting) -> Result<(SignerKey, Stored), Error> {
    let (key, value, storage) = signer.parts();
    check_grants(&key, &value)?;
    if find(env, &key).is_some() {
        return Err(Error::SignerAlreadyExists);
    }
    let stored = Stored { value, storage };
    write(env, &key, &stored);
    lasting.gain(&key, &stored);
    Ok((key, stored))
}

/// Replaces an existing signer. Returns its key, the new value and the old value.
pub fn replace(
    env: &Env,
    signer: Signer,
    lasting: &mut Lasting,
) -> Result<(SignerKey, Stored, Stored), Error> {
    let (key, value, storage) = signer.parts();
    check_grants(&key, &value)?;
    let old = remove(env, &key, lasting)?;
    let new = Stored { value, storage };
    write(env, &key, &new);
    lasting.gain(&key, &new);
    Ok((key, new, old))
}

pub fn remove(env: &Env, key: &SignerKey, lasting: &mut Lasting) -> Result<Stored, Error> {
    let old = find(env, key).ok_or(Error::SignerNotFound)?;
    match old.storage {
        SignerStorage::Persistent => env.storage().persistent().remove(key),
        SignerStorage::Temporary => env.storage().temporary().remove(key),
    }
    lasting.lose(key, &old);
    Ok(old)
}

/// Refuses a list of approvers that is too long to call within a transaction's limits, and a key that must agree with
/// itself, because nothing limits such a key.
fn check_grants(key: &SignerKey, value: &SignerVal) -> Result<(), Error> {
    let Some(grants) = &value.limits().0 else {
        return Ok(());
    };
    for (_, approvers) in grants.iter() {
        let Some(approvers) = approvers else { continue };
        if approvers.len() > MOST_POLICIES {
            return Err(Error::TooManyApprovers);
        }
        if approvers.contains(key) {
            return Err(Error::OwnCoSigner);
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
