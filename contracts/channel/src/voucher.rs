//! What the voucher key signs.

use soroban_sdk::{
    contracttype, symbol_short, xdr::ToXdr, Address, Bytes, BytesN, Env, IntoVal, Symbol, Val,
};

use crate::state;

/// `amount` belongs to the recipient, in all.
#[contracttype(export = false)]
struct Commitment {
    amount: i128,
    channel: Address,
    domain: Symbol,
    network: BytesN<32>,
}

/// Closing may start. It has other fields than a voucher, so no signature is both.
#[contracttype(export = false)]
struct Closing {
    channel: Address,
    domain: Symbol,
    network: BytesN<32>,
}

/// The bytes of a voucher.
pub fn commitment(env: &Env, amount: i128) -> Bytes {
    xdr(
        env,
        Commitment {
            amount,
            channel: env.current_contract_address(),
            domain: symbol_short!("chancmmt"),
            network: env.ledger().network_id(),
        },
    )
}

/// The bytes that start closing.
pub fn closing(env: &Env) -> Bytes {
    xdr(
        env,
        Closing {
            channel: env.current_contract_address(),
            domain: symbol_short!("chanclose"),
            network: env.ledger().network_id(),
        },
    )
}

fn xdr(env: &Env, value: impl IntoVal<Env, Val>) -> Bytes {
    value.to_xdr(env)
}

/// Fails unless the voucher key signed these bytes.
pub fn verify(env: &Env, bytes: &Bytes, sig: &BytesN<64>) {
    env.crypto()
        .ed25519_verify(&state::commitment_key(env), bytes, sig);
}
