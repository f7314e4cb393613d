//! A passkey's assertion (WebAuthn level 2, section 7.2), as far as a contract can judge it: origin and relying party
//! are the client's concern.

use account_interface::Secp256r1Signature;
use soroban_sdk::{crypto::Hash, Bytes, BytesN, Env};

use crate::{
    base64url::{encode, ENCODED},
    error::Error,
};

/// How every client begins (section 5.8.1.1, the limited verification algorithm): fixed bytes need no JSON parser, and
/// leave no doubt which of two equal keys counts.
const TYPE: &[u8] = br#"{"type":"webauthn.get","#;
const CHALLENGE: &[u8] = br#""challenge":""#;
/// The quote that ends the challenge is compared too: what follows is another field's.
const HEAD: usize = TYPE.len() + CHALLENGE.len() + ENCODED + 1;

/// Both parts are bounded before they are hashed.
const LONGEST: u32 = 1024;
/// Hash of the relying party (32), flags (1), counter (4).
const SHORTEST_AUTHENTICATOR_DATA: u32 = 37;
const FLAGS: u32 = 32;
const USER_PRESENT: u8 = 1;

/// Refuses an assertion that is not this key's over this payload. A wrong signature is a trap of the host's.
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
