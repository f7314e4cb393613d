//! Events for what the attestor does. Queries emit none, because they run while payments are authorized.

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
