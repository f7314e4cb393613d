//! A token, an opener, a payer and a recipient with terms between them. All authorizations are signed.

use core::cell::Cell;

use channel::ChannelClient;
use soroban_sdk::{
    testutils::{Address as _, Events as _},
    token::{StellarAssetClient, TokenClient},
    xdr::{ContractEventBody, ScVal, SorobanAuthorizationEntry},
    Address, BytesN, Env, IntoVal, InvokeError, Symbol, Val, Vec,
};
use test_support::{invocation, ledger, Authorization, ClassicAccount, Credentials, Key};

use crate::{ChannelOpener, ChannelOpenerClient, Terms};

pub const CHANNEL_WASM: &[u8] = include_bytes!("../../../wasm/channel.wasm");

/// What the payer has when a test starts.
pub const FUNDS: i128 = 1_000_000;
/// A day, in ledgers.
pub const WAIT: u32 = 17_280;

pub struct Market {
    pub env: Env,
    pub token: Address,
    pub opener: Address,
    pub payer: ClassicAccount,
    pub recipient: ClassicAccount,
    pub key: Key,
    signed: Cell<i64>,
}

impl Market {
    pub fn new() -> Self {
        Self::with(|env| env.register(ChannelOpener, ()))
    }

    /// A market whose opener is a WebAssembly module.
    pub fn opened_by(wasm: &[u8]) -> Self {
        Self::with(|env| env.register(wasm, ()))
    }

    fn with(opener: impl FnOnce(&Env) -> Address) -> Self {
        let env = ledger();
        env.deployer().upload_contract_wasm(CHANNEL_WASM);
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let payer = ClassicAccount::open(&env, Key::of(1), &asset.asset());
        let recipient = ClassicAccount::open(&env, Key::of(2), &asset.asset());
        let market = Self {
            token: asset.address(),
            opener: opener(&env),
            payer,
            recipient,
            key: Key::of(3),
            env,
            signed: Cell::new(0),
        };
        market.mint(&market.payer.address, FUNDS);
        market
    }

    pub fn terms(&self, salt: u8) -> Terms {
        Terms {
            commitment_key: self.key.public_in(&self.env),
            from: self.payer.address.clone(),
            refund_waiting_period: WAIT,
            salt: BytesN::from_array(&self.env, &[salt; 32]),
            to: self.recipient.address.clone(),
            token: self.token.clone(),
        }
    }

    /// Mints tokens. The issuer's authorization is not under test.
    pub fn mint(&self, to: &Address, amount: i128) {
        StellarAssetClient::new(&self.env, &self.token)
            .mock_all_auths()
            .mint(to, &amount);
        self.env.set_auths(&[]);
    }

    /// Signs an ordinary payment: a transfer, and nothing else.
    pub fn payment(&self, to: &Address, amount: i128) -> SorobanAuthorizationEntry {
        let arguments = (&self.payer.address, to, amount);
        self.signed_by_payer(&self.token, "transfer", arguments)
    }

    /// Signs one call as the payer.
    pub fn signed_by_payer(
        &self,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
    ) -> SorobanAuthorizationEntry {
        self.signed.set(self.signed.get() + 1);
        let arguments = arguments.into_val(&self.env);
        let authorization = Authorization {
            credentials: Credentials::Address,
            address: self.payer.address.clone(),
            nonce: self.signed.get(),
            expiration: self.env.ledger().sequence() + 100,
            root: invocation(contract, function, arguments, &[]),
        };
        let signature = self.payer.sign(&self.env, &authorization);
        authorization.signed(signature)
    }

    /// Calls a contract with these authorizations and no others; whether it succeeded.
    pub fn call(
        &self,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
        entries: &[SorobanAuthorizationEntry],
    ) -> bool {
        self.env.set_auths(entries);
        let name = Symbol::new(&self.env, function);
        let arguments = arguments.into_val(&self.env);
        let answer = self
            .env
            .try_invoke_contract::<Val, InvokeError>(contract, &name, arguments);
        self.env.set_auths(&[]);
        answer.is_ok()
    }

    /// Presents a payment to the token.
    pub fn pay(&self, to: &Address, amount: i128) -> bool {
        let entry = self.payment(to, amount);
        let arguments = (&self.payer.address, to, amount);
        self.call(&self.token, "transfer", arguments, &[entry])
    }

    pub fn client(&self) -> ChannelOpenerClient<'_> {
        ChannelOpenerClient::new(&self.env, &self.opener)
    }

    /// Opens a channel without a deposit of its own.
    pub fn open(&self, terms: &Terms) -> Address {
        self.client().open(terms, &0)
    }

    /// Opens and pays with one entry; whether it succeeded.
    pub fn open_with(
        &self,
        terms: &Terms,
        amount: i128,
        entries: &[SorobanAuthorizationEntry],
    ) -> bool {
        self.call(&self.opener, "open", (terms, amount), entries)
    }

    pub fn channel<'a>(&'a self, address: &Address) -> ChannelClient<'a> {
        ChannelClient::new(&self.env, address)
    }

    /// A claim of a good voucher.
    pub fn claim_of(&self, channel: &Address, amount: i128) -> (Address, i128, BytesN<64>) {
        self.claim_signed_by(&self.key, channel, amount)
    }

    pub fn claim_signed_by(
        &self,
        key: &Key,
        channel: &Address,
        amount: i128,
    ) -> (Address, i128, BytesN<64>) {
        let bytes = self.channel(channel).prepare_commitment(&amount);
        let bytes: std::vec::Vec<u8> = bytes.iter().collect();
        let sig = key.sign(&bytes);
        let sig = BytesN::from_array(&self.env, &sig);
        (channel.clone(), amount, sig)
    }

    pub fn claim(&self, claims: &[(Address, i128, BytesN<64>)]) -> u32 {
        self.client().claim(&Vec::from_slice(&self.env, claims))
    }

    pub fn balance(&self, of: &Address) -> i128 {
        TokenClient::new(&self.env, &self.token).balance(of)
    }

    /// Returns what the recipient has.
    pub fn earned(&self) -> i128 {
        self.balance(&self.recipient.address)
    }

    /// Returns the names of all events of the last call. Must be called before anything else.
    pub fn events(&self) -> std::vec::Vec<std::string::String> {
        let events = self.env.events().all();
        let names = events.events().iter().map(|event| {
            let ContractEventBody::V0(body) = &event.body;
            match &body.topics[0] {
                ScVal::Symbol(name) => name.to_utf8_string_lossy(),
                other => std::format!("{other:?}"),
            }
        });
        names.collect()
    }
}
