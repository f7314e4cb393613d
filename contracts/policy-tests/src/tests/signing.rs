//! The account's signers: Ed25519 keys, and passkeys in a software authenticator.

use account_interface::{
    Secp256r1Signature, Signature, Signatures, Signer, SignerExpiration, SignerKey, SignerLimits,
    SignerStorage,
};
use p256::ecdsa::{signature::hazmat::PrehashSigner, Signature as P256Signature, SigningKey};
use soroban_sdk::{xdr::ScVal, Bytes, BytesN, Env, IntoVal, Map, TryFromVal, Val};
use test_support::{Authorization, Key};

pub trait Sign {
    fn key(&self, env: &Env) -> SignerKey;
    fn sign(&self, env: &Env, payload: &[u8; 32]) -> Signature;
    fn signer(&self, env: &Env, expiration: Option<u32>, limits: SignerLimits) -> Signer;
}

pub const FOR_EVER: Option<u32> = None;
pub const OWNER: SignerLimits = SignerLimits(None);

impl Sign for Key {
    fn key(&self, env: &Env) -> SignerKey {
        SignerKey::Ed25519(self.public_in(env))
    }

    fn sign(&self, env: &Env, payload: &[u8; 32]) -> Signature {
        Signature::Ed25519(BytesN::from_array(env, &Key::sign(self, payload)))
    }

    fn signer(&self, env: &Env, expiration: Option<u32>, limits: SignerLimits) -> Signer {
        let expiration = SignerExpiration(expiration);
        let storage = SignerStorage::Persistent;
        Signer::Ed25519(self.public_in(env), expiration, limits, storage)
    }
}

/// An authenticator with one passkey. Tests can change what it writes, to check how the account reacts.
pub struct Passkey {
    secret: SigningKey,
    pub id: [u8; 16],
    pub flags: u8,
    pub authenticator_data: Option<std::vec::Vec<u8>>,
    pub client_data: fn(challenge: &str) -> std::string::String,
    pub high_s: bool,
}

impl Passkey {
    pub fn of(seed: u8) -> Self {
        Self {
            secret: SigningKey::from_bytes(&[seed; 32].into()).expect("a scalar"),
            id: [seed; 16],
            flags: 0b101,
            authenticator_data: None,
            client_data: as_browsers_write,
            high_s: false,
        }
    }

    pub fn public(&self, env: &Env) -> BytesN<65> {
        let point = self.secret.verifying_key().to_encoded_point(false);
        let bytes: [u8; 65] = point.as_bytes().try_into().expect("uncompressed");
        BytesN::from_array(env, &bytes)
    }
}

/// The serialization that WebAuthn prescribes and that Chromium writes.
pub fn as_browsers_write(challenge: &str) -> std::string::String {
    std::format!(
        r#"{{"type":"webauthn.get","challenge":"{challenge}","origin":"http://localhost:3000","crossOrigin":false}}"#
    )
}

fn base64url(bytes: &[u8]) -> std::string::String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: std::string::String = bytes
        .iter()
        .map(|byte| std::format!("{byte:08b}"))
        .collect();
    let sixes = bits.as_bytes().chunks(6).map(|six| {
        let text = std::format!("{:0<6}", std::str::from_utf8(six).expect("digits"));
        char::from(LETTERS[usize::from_str_radix(&text, 2).expect("six digits")])
    });
    sixes.collect()
}

fn sha256(env: &Env, bytes: &[u8]) -> [u8; 32] {
    let bytes = Bytes::from_slice(env, bytes);
    env.crypto().sha256(&bytes).to_array()
}

impl Sign for Passkey {
    fn key(&self, env: &Env) -> SignerKey {
        SignerKey::Secp256r1(Bytes::from_array(env, &self.id))
    }

    fn sign(&self, env: &Env, payload: &[u8; 32]) -> Signature {
        let client_data = (self.client_data)(&base64url(payload));
        let authenticator_data = self.authenticator_data.clone().unwrap_or_else(|| {
            let mut data = sha256(env, b"localhost").to_vec();
            data.extend([self.flags, 0, 0, 0, 1]);
            data
        });
        let mut signed = authenticator_data.clone();
        signed.extend(sha256(env, client_data.as_bytes()));
        let signature: P256Signature = self
            .secret
            .sign_prehash(&sha256(env, &signed))
            .expect("a digest");
        let signature = signature.normalize_s().unwrap_or(signature);
        let signature = if self.high_s {
            let (r, s) = signature.split_scalars();
            P256Signature::from_scalars(r, -s).expect("the other one")
        } else {
            signature
        };
        Signature::Secp256r1(Secp256r1Signature {
            authenticator_data: Bytes::from_slice(env, &authenticator_data),
            client_data_json: Bytes::from_slice(env, client_data.as_bytes()),
            signature: BytesN::from_array(env, &signature.to_bytes().into()),
        })
    }

    fn signer(&self, env: &Env, expiration: Option<u32>, limits: SignerLimits) -> Signer {
        Signer::Secp256r1(
            Bytes::from_array(env, &self.id),
            self.public(env),
            SignerExpiration(expiration),
            limits,
            SignerStorage::Persistent,
        )
    }
}

/// Returns the signature map in the form that an authorization entry contains.
pub fn signatures(env: &Env, authorization: &Authorization, signers: &[&dyn Sign]) -> ScVal {
    let payload = authorization.payload(env);
    let mut map = Map::new(env);
    for signer in signers {
        map.set(signer.key(env), signer.sign(env, &payload));
    }
    in_ledger(env, Signatures(map))
}

pub fn in_ledger(env: &Env, value: impl IntoVal<Env, Val>) -> ScVal {
    let value: Val = value.into_val(env);
    ScVal::try_from_val(env, &value).expect("a value of the ledger")
}
