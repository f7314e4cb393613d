use soroban_sdk::{
    contract, contractimpl, symbol_short, token::TokenClient, vec, Address, BytesN, Env, IntoVal,
    InvokeError, Symbol, Val, Vec,
};

use crate::{error::Error, terms::Terms};

/// SHA-256 of the module that channels run: `wasm/channel.wasm`. A test compares them.
pub const CHANNEL: [u8; 32] = [
    0x49, 0x76, 0xfe, 0x13, 0x54, 0x5b, 0x13, 0xd6, 0x6c, 0x35, 0x54, 0x67, 0xe5, 0x2a, 0x92, 0x08,
    0xe1, 0xbb, 0x48, 0x2e, 0x87, 0x03, 0x54, 0xf8, 0xb1, 0x17, 0x86, 0x80, 0x35, 0xac, 0xab, 0xa2,
];

/// How many ledgers this contract lives after a call that renewed it: a week.
pub const LIFE: u32 = 120_960;
/// A call renews this contract if it would live for fewer ledgers: three days. `open` does the same for a channel.
pub const RENEWED_BELOW: u32 = 51_840;

const SETTLE: Symbol = symbol_short!("settle");

#[contract]
pub struct ChannelOpener;

#[contractimpl]
impl ChannelOpener {
    /// Returns the address of the channel with these terms, whether it exists or not.
    pub fn address(env: Env, terms: Terms) -> Address {
        let deployer = env.deployer().with_current_contract(terms.hash(&env));
        deployer.deployed_address()
    }

    /// Deploys the channel with these terms unless it exists, moves `amount` of the payer's money into it, and returns
    /// its address. What was paid to the address before, by whomever, is part of the deposit.
    ///
    /// Anyone may call this. Above zero, the token asks for the payer's authorization of `transfer(from, channel,
    /// amount)`, and for nothing else: it is what the payer signs for a payment to that address.
    pub fn open(env: Env, terms: Terms, amount: i128) -> Result<Address, Error> {
        if amount < 0 {
            return Err(Error::NegativeDeposit);
        }
        let deployer = env.deployer().with_current_contract(terms.hash(&env));
        let channel = deployer.deployed_address();
        if channel.exists() {
            env.deployer()
                .extend_ttl(channel.clone(), RENEWED_BELOW, LIFE);
        } else {
            let Terms {
                token,
                from,
                commitment_key,
                to,
                refund_waiting_period,
                ..
            } = &terms;
            // Nothing: so that a channel that somebody else opened takes the same authorization.
            let nothing = 0i128;
            deployer.deploy_v2(
                BytesN::from_array(&env, &CHANNEL),
                (
                    token,
                    from,
                    commitment_key,
                    to,
                    nothing,
                    *refund_waiting_period,
                ),
            );
        }
        if amount > 0 {
            TokenClient::new(&env, &terms.token).transfer(&terms.from, &channel, &amount);
        }
        renew(&env);
        Ok(channel)
    }

    /// Calls `settle(amount, sig)` of each channel, and returns how many succeeded. A channel that fails does not undo
    /// the others.
    ///
    /// Anyone who holds the vouchers may call this. The addresses have to be those of contracts.
    pub fn claim(env: Env, claims: Vec<(Address, i128, BytesN<64>)>) -> u32 {
        let mut settled = 0;
        for (channel, amount, sig) in claims.iter() {
            let arguments: Vec<Val> = vec![&env, amount.into_val(&env), sig.into_val(&env)];
            let answer = env.try_invoke_contract::<(), InvokeError>(&channel, &SETTLE, arguments);
            settled += u32::from(answer == Ok(Ok(())));
        }
        renew(&env);
        settled
    }
}

fn renew(env: &Env) {
    env.storage().instance().extend_ttl(RENEWED_BELOW, LIFE);
}
