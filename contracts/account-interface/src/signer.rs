use soroban_sdk::{contracttype, Address, Bytes, BytesN, Map, Vec};

/// The last ledger in which a signer counts; none: no end.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerExpiration(pub Option<u32>);

/// What a signer may do alone.
///
/// None: everything, the account's own functions included. A map: calls of the contracts that are its keys and nothing
/// else. The value lists who must agree besides: keys must sign, policies must approve. No list: nobody.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerLimits(pub Option<Map<Address, Option<Vec<SignerKey>>>>);

/// Where a signer is kept. A temporary one is gone when nobody prolongs its entry.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerStorage {
    Persistent,
    Temporary,
}

/// A signer as it is added or updated. A passkey has its credential's id and its public key, uncompressed (SEC 1).
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signer {
    Policy(Address, SignerExpiration, SignerLimits, SignerStorage),
    Ed25519(BytesN<32>, SignerExpiration, SignerLimits, SignerStorage),
    Secp256r1(
        Bytes,
        BytesN<65>,
        SignerExpiration,
        SignerLimits,
        SignerStorage,
    ),
}

/// The name of a signer; its entry's key in storage.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerKey {
    Policy(Address),
    Ed25519(BytesN<32>),
    Secp256r1(Bytes),
}

/// What is stored of a signer.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerVal {
    Policy(SignerExpiration, SignerLimits),
    Ed25519(SignerExpiration, SignerLimits),
    Secp256r1(BytesN<65>, SignerExpiration, SignerLimits),
}

impl Signer {
    /// Name, value and place.
    pub fn parts(self) -> (SignerKey, SignerVal, SignerStorage) {
        match self {
            Signer::Policy(address, expiration, limits, storage) => (
                SignerKey::Policy(address),
                SignerVal::Policy(expiration, limits),
                storage,
            ),
            Signer::Ed25519(key, expiration, limits, storage) => (
                SignerKey::Ed25519(key),
                SignerVal::Ed25519(expiration, limits),
                storage,
            ),
            Signer::Secp256r1(id, key, expiration, limits, storage) => (
                SignerKey::Secp256r1(id),
                SignerVal::Secp256r1(key, expiration, limits),
                storage,
            ),
        }
    }
}

impl SignerVal {
    pub fn expiration(&self) -> Option<u32> {
        match self {
            SignerVal::Policy(expiration, _)
            | SignerVal::Ed25519(expiration, _)
            | SignerVal::Secp256r1(_, expiration, _) => expiration.0,
        }
    }

    pub fn limits(&self) -> &SignerLimits {
        match self {
            SignerVal::Policy(_, limits)
            | SignerVal::Ed25519(_, limits)
            | SignerVal::Secp256r1(_, _, limits) => limits,
        }
    }

    /// Whether the signer no longer counts in this ledger.
    pub fn expired(&self, ledger: u32) -> bool {
        self.expiration().is_some_and(|last| ledger > last)
    }
}
