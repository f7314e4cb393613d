//! A token, a payer, a recipient, a voucher key, and a channel between them. All authorizations are signed.

use core::cell::Cell;

use soroban_sdk::{
    testutils::{Address as _, Events as _, IssuerFlags, StellarAssetContract},
    token::{StellarAssetClient, TokenClient},
    xdr::{ContractEventBody, ScVal, SorobanAuthorizationEntry, SorobanAuthorizedInvocation},
    Address, Bytes, BytesN, Env, Error as HostError, IntoVal, InvokeError, Symbol, Val, Vec,
};
use test_support::{invocation, ledger, Authorization, ClassicAccount, Credentials, Key};

use crate::{voucher, Channel, ChannelClient, Error};

/// What the payer has when a test starts.
pub const FUNDS: i128 = 1_000_000;
/// What it pays into the channel.
pub const DEPOSIT: i128 = 1_000;
/// A day, in ledgers.
pub const WAIT: u32 = 17_280;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// Refused by the channel itself.
    Refused(Error),
    /// Refused by the host, an account or the token.
    Failed,
}

pub struct Scene {
    pub env: Env,
    pub asset: StellarAssetContract,
    pub token: Address,
    pub payer: ClassicAccount,
    pub recipient: ClassicAccount,
    /// Signs vouchers.
    pub key: Key,
    pub channel: Address,
    signed: Cell<i64>,
}

impl Scene {
    /// A channel that holds the deposit.
    pub fn new() -> Self {
        let scene = Self::empty();
        assert_eq!(scene.deposit(DEPOSIT), Outcome::Done);
        scene
    }

    /// A channel without a deposit.
    pub fn empty() -> Self {
        Self::made(|env, terms| env.register(Channel, terms))
    }

    /// A channel that runs a WebAssembly module, with the deposit.
    pub fn running(wasm: &[u8]) -> Self {
        let scene = Self::made(|env, terms| env.register(wasm, terms));
        assert_eq!(scene.deposit(DEPOSIT), Outcome::Done);
        scene
    }

    fn made(channel: impl FnOnce(&Env, Terms) -> Address) -> Self {
        let env = ledger();
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let (token, key) = (asset.address(), Key::of(3));
        let payer = ClassicAccount::open(&env, Key::of(1), &asset.asset());
        let recipient = ClassicAccount::open(&env, Key::of(2), &asset.asset());
        let terms = (
            token.clone(),
            payer.address.clone(),
            key.public_in(&env),
            recipient.address.clone(),
            0,
            WAIT,
        );
        let scene = Self {
            channel: channel(&env, terms),
            ..Self {
                channel: token.clone(),
                token,
                asset,
                payer,
                recipient,
                key,
                env,
                signed: Cell::new(0),
            }
        };
        scene.mint(&scene.payer.address, FUNDS);
        scene
    }

    /// Another channel with the same terms.
    pub fn twin(&self) -> Address {
        self.env.register(Channel, self.terms(0))
    }

    /// The constructor's arguments.
    pub fn terms(&self, amount: i128) -> Terms {
        self.terms_with(&self.token, amount)
    }

    pub fn terms_with(&self, token: &Address, amount: i128) -> Terms {
        (
            token.clone(),
            self.payer.address.clone(),
            self.key.public_in(&self.env),
            self.recipient.address.clone(),
            amount,
            WAIT,
        )
    }

    /// Mints tokens. The issuer's authorization is not under test.
    pub fn mint(&self, to: &Address, amount: i128) {
        self.issuer().mint(to, &amount);
        self.env.set_auths(&[]);
    }

    /// The token, with the issuer's authorization.
    pub fn issuer(&self) -> StellarAssetClient<'_> {
        StellarAssetClient::new(&self.env, &self.token).mock_all_auths()
    }

    /// Lets the issuer freeze balances, and take them back.
    pub fn issuer_may_interfere(&self) {
        let issuer = self.asset.issuer();
        issuer.set_flag(IssuerFlags::RevocableFlag);
        issuer.set_flag(IssuerFlags::ClawbackEnabledFlag);
    }

    /// Signs a call as an account.
    pub fn sign(
        &self,
        account: &ClassicAccount,
        root: SorobanAuthorizedInvocation,
    ) -> SorobanAuthorizationEntry {
        self.signed.set(self.signed.get() + 1);
        let authorization = Authorization {
            credentials: Credentials::AddressBound,
            address: account.address.clone(),
            nonce: self.signed.get(),
            expiration: self.env.ledger().sequence() + 100,
            root,
        };
        let signature = account.sign(&self.env, &authorization);
        authorization.signed(signature)
    }

    pub fn transfer_of(
        &self,
        from: &Address,
        to: &Address,
        amount: i128,
    ) -> SorobanAuthorizedInvocation {
        let arguments = (from, to, amount).into_val(&self.env);
        invocation(&self.token, "transfer", arguments, &[])
    }

    /// Calls a contract with these authorizations and no others.
    pub fn call(
        &self,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
        entries: &[SorobanAuthorizationEntry],
    ) -> Outcome {
        self.env.set_auths(entries);
        let name = Symbol::new(&self.env, function);
        let arguments = arguments.into_val(&self.env);
        let answer = self
            .env
            .try_invoke_contract::<Val, HostError>(contract, &name, arguments);
        self.env.set_auths(&[]);
        match answer {
            Ok(_) => Outcome::Done,
            Err(Ok(error)) => match InvokeError::from(error) {
                InvokeError::Contract(number) => refused(number),
                InvokeError::Abort => Outcome::Failed,
            },
            Err(Err(InvokeError::Contract(number))) => refused(number),
            Err(Err(InvokeError::Abort)) => Outcome::Failed,
        }
    }

    /// Calls a contract as an account, which signs the call and what is below it.
    pub fn call_as(
        &self,
        account: &ClassicAccount,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
        below: &[SorobanAuthorizedInvocation],
    ) -> Outcome {
        let arguments: Vec<Val> = arguments.into_val(&self.env);
        let root = invocation(contract, function, arguments.clone(), below);
        let entry = self.sign(account, root);
        self.call(contract, function, arguments, &[entry])
    }

    /// Pays the channel as any payment does.
    pub fn deposit(&self, amount: i128) -> Outcome {
        self.deposit_into(&self.channel, amount)
    }

    pub fn deposit_into(&self, channel: &Address, amount: i128) -> Outcome {
        let arguments = (&self.payer.address, channel, amount);
        self.call_as(&self.payer, &self.token, "transfer", arguments, &[])
    }

    pub fn top_up(&self, amount: i128) -> Outcome {
        let transfer = self.transfer_of(&self.payer.address, &self.channel, amount);
        self.call_as(
            &self.payer,
            &self.channel,
            "top_up",
            (amount,),
            std::slice::from_ref(&transfer),
        )
    }

    /// Signs the bytes that a channel asks for.
    pub fn signed_by(&self, key: &Key, channel: &Address, amount: i128) -> BytesN<64> {
        let bytes = || voucher::commitment(&self.env, amount);
        let bytes = self.env.as_contract(channel, bytes);
        self.signature(key, &bytes)
    }

    pub fn closing_signed_by(&self, key: &Key, channel: &Address) -> BytesN<64> {
        let bytes = || voucher::closing(&self.env);
        let bytes = self.env.as_contract(channel, bytes);
        self.signature(key, &bytes)
    }

    pub fn signature(&self, key: &Key, bytes: &Bytes) -> BytesN<64> {
        let bytes: std::vec::Vec<u8> = bytes.iter().collect();
        BytesN::from_array(&self.env, &key.sign(&bytes))
    }

    pub fn voucher(&self, amount: i128) -> BytesN<64> {
        self.signed_by(&self.key, &self.channel, amount)
    }

    /// Settles a good voucher, as a stranger.
    pub fn settle(&self, amount: i128) -> Outcome {
        self.settle_in(&self.channel, amount)
    }

    pub fn settle_in(&self, channel: &Address, amount: i128) -> Outcome {
        let voucher = self.signed_by(&self.key, channel, amount);
        self.call(channel, "settle", (amount, voucher), &[])
    }

    /// Closes with a good voucher, as the recipient.
    pub fn close(&self, amount: i128) -> Outcome {
        self.close_in(&self.channel, amount)
    }

    pub fn close_in(&self, channel: &Address, amount: i128) -> Outcome {
        let voucher = self.signed_by(&self.key, channel, amount);
        self.call_as(&self.recipient, channel, "close", (amount, voucher), &[])
    }

    pub fn close_start(&self) -> Outcome {
        self.call_as(&self.payer, &self.channel, "close_start", (), &[])
    }

    /// Starts closing with the voucher key's signature, as a stranger.
    pub fn close_start_signed(&self) -> Outcome {
        let sig = self.closing_signed_by(&self.key, &self.channel);
        self.call(&self.channel, "close_start_signed", (sig,), &[])
    }

    /// Asks for the refund, as a stranger.
    pub fn refund(&self) -> Outcome {
        self.call(&self.channel, "refund", (), &[])
    }

    pub fn client(&self) -> ChannelClient<'_> {
        ChannelClient::new(&self.env, &self.channel)
    }

    pub fn balance(&self, of: &Address) -> i128 {
        TokenClient::new(&self.env, &self.token).balance(of)
    }

    /// Returns what payer, recipient and channel hold.
    pub fn balances(&self) -> (i128, i128, i128) {
        (
            self.balance(&self.payer.address),
            self.balance(&self.recipient.address),
            self.balance(&self.channel),
        )
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

/// Token, payer, voucher key, recipient, amount and waiting period.
pub type Terms = (Address, Address, BytesN<32>, Address, i128, u32);

fn refused(number: u32) -> Outcome {
    let all = [
        Error::NegativeAmount,
        Error::NotClosing,
        Error::TooEarly,
        Error::AlreadyClosing,
    ];
    let known = all.into_iter().find(|error| *error as u32 == number);
    known.map_or(Outcome::Failed, Outcome::Refused)
}
