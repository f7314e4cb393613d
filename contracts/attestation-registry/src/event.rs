//! Events of what the attestor does. Asking emits none: it is done while payments are authorized.

use soroban_sdk::{contractevent, Address, BytesN};

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attested {
    #[topic]
    pub contract: Address,
    pub wasm_hash: BytesN<32>,
    pub expires_ledger: u32,
}

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    #[topic]
    pub contract: Address,
}

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttestorChanged {
    #[topic]
    pub attestor: Address,
}
