use soroban_sdk::{contracttype, Address, Bytes, BytesN, Map, Vec};

/// The last ledger in which a signer is valid. `None` if it does not expire.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerExpiration(pub Option<u32>);

/// What a signer may do alone.
///
/// `None` allows everything, including the account's own functions. A map allows only calls of the contracts that are
/// its keys. Each value lists who must also agree: keys must sign, policies approve. Without a list, no one must.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerLimits(pub Option<Map<Address, Option<Vec<SignerKey>>>>);

/// Where a signer is stored. A temporary signer disappears when no one extends its entry.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerStorage {
    Persistent,
    Temporary,
}

/// A signer to add or update. A passkey has its credential's id and its uncompressed public key (SEC 1).
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

/// Identifies a signer. Also the key of its storage entry.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerKey {
    Policy(Address),
    Ed25519(BytesN<32>),
    Secp256r1(Bytes),
}

/// The stored value of a signer.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerVal {
    Policy(SignerExpiration, SignerLimits),
    Ed25519(SignerExpiration, SignerLimits),
    Secp256r1(BytesN<65>, SignerExpiration, SignerLimits),
}

impl Signer {
    /// Returns the signer's key, value and storage.
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

    /// Returns whether the signer has expired in this ledger.
    pub fn expired(&self, ledger: u32) -> bool {
        self.expiration().is_some_and(|last| ledger > last)
    }
}
