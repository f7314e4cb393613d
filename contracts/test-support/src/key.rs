use ed25519_dalek::{Signer as _, SigningKey};
use soroban_sdk::{BytesN, Env};

/// An Ed25519 key pair.
pub struct Key(SigningKey);

impl Key {
    /// Creates a key from a seed. Different seeds give different keys.
    pub fn of(seed: u8) -> Self {
        Self(SigningKey::from_bytes(&[seed; 32]))
    }

    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    pub fn public_in(&self, env: &Env) -> BytesN<32> {
        BytesN::from_array(env, &self.public())
    }

    pub fn sign(&self, payload: &[u8]) -> [u8; 64] {
        self.0.sign(payload).to_bytes()
    }
}
