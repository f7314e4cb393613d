//! OpenZeppelin's Ed25519 verifier as a contract, which its accounts call.
#![no_std]

use soroban_sdk::{contract, contractimpl, Bytes, BytesN, Env, Vec};
use stellar_accounts::verifiers::{ed25519, Verifier};

#[contract]
pub struct Ed25519Verifier;

#[contractimpl]
impl Verifier for Ed25519Verifier {
    type KeyData = BytesN<32>;
    type SigData = BytesN<64>;

    fn verify(e: &Env, hash: Bytes, key: BytesN<32>, signature: BytesN<64>) -> bool {
        ed25519::verify(e, &hash, &key, &signature)
    }

    fn canonicalize_key(e: &Env, key: BytesN<32>) -> Bytes {
        ed25519::canonicalize_key(e, &key)
    }

    fn batch_canonicalize_key(e: &Env, keys: Vec<BytesN<32>>) -> Vec<Bytes> {
        ed25519::batch_canonicalize_key(e, &keys)
    }
}
