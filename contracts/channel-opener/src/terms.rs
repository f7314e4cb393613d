use soroban_sdk::{contracttype, xdr::ToXdr, Address, BytesN, Env};

/// What a channel's address commits to.
#[contracttype]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The Ed25519 key that signs vouchers.
    pub commitment_key: BytesN<32>,
    /// The payer.
    pub from: Address,
    /// Ledgers between the start of closing and the refund.
    pub refund_waiting_period: u32,
    /// Distinguishes channels whose other terms are equal.
    pub salt: BytesN<32>,
    /// The recipient.
    pub to: Address,
    pub token: Address,
}

impl Terms {
    /// The salt with which the channel is deployed: SHA-256 of the terms' XDR.
    pub fn hash(&self, env: &Env) -> BytesN<32> {
        env.crypto().sha256(&self.clone().to_xdr(env)).into()
    }
}
