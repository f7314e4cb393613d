//! Verifies signatures. Every entry of the map must be valid, needed or not, before any policy is called.

use account_interface::{Signature, Signatures, SignerKey, SignerLimits, SignerVal};
use soroban_sdk::{crypto::Hash, Env, Vec};

use crate::{error::Error, signers, webauthn};

/// Returns the keys that signed, with their limits.
pub fn verify(
    env: &Env,
    payload: &Hash<32>,
    signatures: &Signatures,
) -> Result<Vec<(SignerKey, SignerLimits)>, Error> {
    let mut keys = Vec::new(env);
    for (key, signature) in signatures.0.iter() {
        let signer = signers::find(env, &key).ok_or(Error::SignerNotFound)?;
        if signer.value.expired(env.ledger().sequence()) {
            return Err(Error::SignerExpired);
        }
        match (&key, &signature, &signer.value) {
            (SignerKey::Ed25519(public), Signature::Ed25519(signature), _) => {
                let message = payload.to_bytes().into();
                env.crypto().ed25519_verify(public, &message, signature);
            }
            (
                SignerKey::Secp256r1(_),
                Signature::Secp256r1(assertion),
                SignerVal::Secp256r1(public, ..),
            ) => webauthn::verify(env, payload, public, assertion)?,
            // A policy holds no secret, so its entry proves nothing: anyone could have added it. The entry does not
            // cover a call, and the account does not call the policy because of it.
            (SignerKey::Policy(_), Signature::Policy, _) => continue,
            _ => return Err(Error::SignatureKeyValueMismatch),
        }
        signers::keep_alive(env, &key, &signer.storage);
        keys.push_back((key, signer.value.limits().clone()));
    }
    Ok(keys)
}
