//! Verifies a passkey's assertion (WebAuthn level 2, section 7.2), as far as a contract can: the client is responsible
//! for the origin and the relying party.

use account_interface::Secp256r1Signature;
use soroban_sdk::{crypto::Hash, Bytes, BytesN, Env};

use crate::{
    base64url::{encode, ENCODED},
    error::Error,
};

/// All client data starts like this (section 5.8.1.1, the limited verification algorithm). Comparing fixed bytes needs
/// no JSON parser, and leaves no doubt which of two identical keys applies.
const TYPE: &[u8] = br#"{"type":"webauthn.get","#;
const CHALLENGE: &[u8] = br#""challenge":""#;
/// Includes the quote that ends the challenge, because what follows belongs to another field.
const HEAD: usize = TYPE.len() + CHALLENGE.len() + ENCODED + 1;

/// The maximum length of each part, checked before the part is hashed.
const LONGEST: u32 = 1024;
/// The hash of the relying party (32), the flags (1) and the counter (4).
const SHORTEST_AUTHENTICATOR_DATA: u32 = 37;
const FLAGS: u32 = 32;
const USER_PRESENT: u8 = 1;

/// Refuses an assertion that is not this key's for this payload. The host traps on a wrong signature.
pub fn verify(
    env: &Env,
    payload: &Hash<32>,
    key: &BytesN<65>,
    assertion: &Secp256r1Signature,
) -> Result<(), Error> {
    check_client_data(&assertion.client_data_json, &payload.to_array())?;
    check_authenticator_data(&assertion.authenticator_data)?;
    let mut signed = assertion.authenticator_data.clone();
    let client_data = env.crypto().sha256(&assertion.client_data_json);
    signed.append(&client_data.to_bytes().into());
    let digest = env.crypto().sha256(&signed);
    env.crypto()
        .secp256r1_verify(key, &digest, &assertion.signature);
    Ok(())
}

fn check_client_data(client_data: &Bytes, payload: &[u8; 32]) -> Result<(), Error> {
    if client_data.len() > LONGEST {
        return Err(Error::ClientDataJsonTooLarge);
    }
    if client_data.len() <= HEAD as u32 {
        return Err(Error::ClientDataJsonParseError);
    }
    let mut head = [0; HEAD];
    client_data.slice(..HEAD as u32).copy_into_slice(&mut head);
    let (kind, rest) = head.split_at(TYPE.len());
    let (name, rest) = rest.split_at(CHALLENGE.len());
    let (challenge, end) = rest.split_at(ENCODED);
    if kind != TYPE {
        return Err(Error::InvalidWebAuthnType);
    }
    if name != CHALLENGE {
        return Err(Error::ClientDataJsonParseError);
    }
    if challenge != encode(payload) || end != b"\"" {
        return Err(Error::ClientDataJsonChallengeIncorrect);
    }
    Ok(())
}

fn check_authenticator_data(data: &Bytes) -> Result<(), Error> {
    if data.len() > LONGEST {
        return Err(Error::AuthenticatorDataTooLarge);
    }
    if data.len() < SHORTEST_AUTHENTICATOR_DATA {
        return Err(Error::InvalidAuthenticatorData);
    }
    let flags = data.get(FLAGS).ok_or(Error::InvalidAuthenticatorData)?;
    if flags & USER_PRESENT == 0 {
        return Err(Error::UserPresenceRequired);
    }
    Ok(())
}
