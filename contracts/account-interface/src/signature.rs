use soroban_sdk::{contracttype, Bytes, BytesN, Map};

use crate::SignerKey;

/// A passkey's assertion. The passkey signs `authenticator_data || sha256(client_data_json)`, and `client_data_json`
/// contains the payload as the challenge. `signature` is r and s, 32 bytes each, with s in the lower half of its range.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secp256r1Signature {
    pub authenticator_data: Bytes,
    pub client_data_json: Bytes,
    pub signature: BytesN<64>,
}

#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    Policy,
    Ed25519(BytesN<64>),
    Secp256r1(Secp256r1Signature),
}

/// The account's signature of an authorization entry: the signatures of one or more signers.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures(pub Map<SignerKey, Signature>);
