//! A payer, a recipient, a token, the settlement contract, and the payer's signatures.

use core::cell::Cell;
use std::{boxed::Box, format, string::String, vec};

use soroban_sdk::{
    testutils::{Address as _, Events as _},
    token::{StellarAssetClient, TokenClient},
    xdr::{
        Asset, ContractEventBody, ScVal, SorobanAuthorizationEntry, SorobanAuthorizedInvocation,
    },
    Address, BytesN, Env, IntoVal, Val, Vec,
};
use test_support::{invocation, ledger, Authorization, ClassicAccount, Credentials, Key};

use super::accounts::{key_account, sign_as_contract};
use crate::{Error, Upto, UptoClient};

/// The balance of every payer when a test starts.
pub const FUNDS: i128 = 1_000_000;

/// The payer of a sale.
pub enum Payer {
    Classic(ClassicAccount),
    /// A contract that is an account, and the key that signs for it.
    Contract(Address, Key),
}

impl Payer {
    pub fn address(&self) -> Address {
        match self {
            Payer::Classic(account) => account.address.clone(),
            Payer::Contract(address, _) => address.clone(),
        }
    }

    pub fn sign(&self, env: &Env, authorization: &Authorization) -> ScVal {
        match self {
            Payer::Classic(account) => account.sign(env, authorization),
            Payer::Contract(_, key) => sign_as_contract(env, key, authorization),
        }
    }
}

/// The terms that the payer signs.
#[derive(Clone, Debug)]
pub struct Terms {
    pub token: Address,
    pub from: Address,
    pub to: Address,
    pub ceiling: i128,
    pub expiration: u32,
    pub nonce: BytesN<32>,
}

/// The outcome of a call to `settle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Settled,
    /// Refused by the contract itself.
    Refused(Error),
    /// Refused by the host, the payer's account or the token.
    Failed,
}

type Deploy<'a> = Box<dyn FnOnce(&Env, &Address, &Key) -> Address + 'a>;

pub struct Sale {
    pub env: Env,
    pub upto: Address,
    pub token: Address,
    pub asset: Asset,
    pub payer: Payer,
    pub to: Address,
    pub credentials: Credentials,
    signed: Cell<i64>,
}

impl Sale {
    /// A sale to a classic account.
    pub fn new() -> Self {
        Self::with(|env| env.register(Upto, ()), None)
    }

    /// A sale to a contract account without `policies`.
    pub fn to_contract_account() -> Self {
        Self::to_account(|env, _upto, key| key_account(env, key))
    }

    /// A sale to an account that `deploy` creates from the settlement contract and the key that will sign.
    pub fn to_account(deploy: impl FnOnce(&Env, &Address, &Key) -> Address) -> Self {
        Self::with(|env| env.register(Upto, ()), Some(Box::new(deploy)))
    }

    /// A sale that a WebAssembly module settles.
    pub fn settled_by(wasm: &[u8]) -> Self {
        Self::with(|env| env.register(wasm, ()), None)
    }

    fn with(settlement: impl FnOnce(&Env) -> Address, account: Option<Deploy<'_>>) -> Self {
        let env = ledger();
        let upto = settlement(&env);
        let token = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let asset = token.asset();
        let key = Key::of(1);
        let payer = match account {
            Some(deploy) => Payer::Contract(deploy(&env, &upto, &key), key),
            None => Payer::Classic(ClassicAccount::open(&env, key, &asset)),
        };
        let sale = Self {
            token: token.address(),
            asset,
            to: Address::generate(&env),
            upto,
            payer,
            env,
            credentials: Credentials::Address,
            signed: Cell::new(0),
        };
        sale.fund(&sale.payer.address(), FUNDS);
        sale
    }

    /// Mints tokens. The issuer's authorization is not under test.
    pub fn fund(&self, address: &Address, amount: i128) {
        StellarAssetClient::new(&self.env, &self.token)
            .mock_all_auths()
            .mint(address, &amount);
    }

    /// Returns terms with this nonce, valid for a thousand ledgers.
    pub fn terms(&self, ceiling: i128, nonce: u8) -> Terms {
        Terms {
            token: self.token.clone(),
            from: self.payer.address(),
            to: self.to.clone(),
            ceiling,
            expiration: self.env.ledger().sequence() + 1_000,
            nonce: BytesN::from_array(&self.env, &[nonce; 32]),
        }
    }

    /// Builds the one approve that belongs below the root.
    pub fn approve(&self, terms: &Terms) -> SorobanAuthorizedInvocation {
        self.call(
            &terms.token,
            "approve",
            (&terms.from, &self.upto, terms.ceiling, terms.expiration),
        )
    }

    pub fn call(
        &self,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
    ) -> SorobanAuthorizedInvocation {
        invocation(contract, function, arguments.into_val(&self.env), &[])
    }

    /// Builds the root over the six terms, with these sub-invocations.
    pub fn root(
        &self,
        terms: &Terms,
        below: &[SorobanAuthorizedInvocation],
    ) -> SorobanAuthorizedInvocation {
        invocation(
            &self.upto,
            "settle",
            (
                &terms.token,
                &terms.from,
                &terms.to,
                terms.ceiling,
                terms.expiration,
                &terms.nonce,
            )
                .into_val(&self.env),
            below,
        )
    }

    /// Signs a tree as the payer, each time with another nonce of the host.
    pub fn sign(&self, root: SorobanAuthorizedInvocation) -> SorobanAuthorizationEntry {
        self.signed.set(self.signed.get() + 1);
        let authorization = Authorization {
            credentials: self.credentials,
            address: self.payer.address(),
            nonce: self.signed.get(),
            expiration: self.env.ledger().sequence() + 20_000,
            root,
        };
        let signature = self.payer.sign(&self.env, &authorization);
        authorization.signed(signature)
    }

    /// Signs the terms correctly.
    pub fn authorize(&self, terms: &Terms) -> SorobanAuthorizationEntry {
        self.sign(self.root(terms, &[self.approve(terms)]))
    }

    /// Calls `settle` with these authorizations and no others.
    pub fn present(
        &self,
        terms: &Terms,
        actual: i128,
        authorizations: &[SorobanAuthorizationEntry],
    ) -> Outcome {
        self.present_hooked(terms, actual, &None, authorizations)
    }

    pub fn present_hooked(
        &self,
        terms: &Terms,
        actual: i128,
        hook: &Option<Address>,
        authorizations: &[SorobanAuthorizationEntry],
    ) -> Outcome {
        let answer = UptoClient::new(&self.env, &self.upto)
            .set_auths(authorizations)
            .try_settle(
                &terms.token,
                &terms.from,
                &terms.to,
                &terms.ceiling,
                &terms.expiration,
                &terms.nonce,
                &actual,
                hook,
            );
        match answer {
            Ok(_) => Outcome::Settled,
            Err(Ok(error)) => Outcome::Refused(error),
            Err(Err(_)) => Outcome::Failed,
        }
    }

    /// Signs the terms and presents them.
    pub fn settle(&self, terms: &Terms, actual: i128) -> Outcome {
        self.present(terms, actual, &[self.authorize(terms)])
    }

    pub fn settled(&self, terms: &Terms) -> Option<i128> {
        UptoClient::new(&self.env, &self.upto).settled(&terms.from, &terms.nonce)
    }

    pub fn tokens(&self) -> TokenClient<'_> {
        TokenClient::new(&self.env, &self.token)
    }

    pub fn balance(&self, address: &Address) -> i128 {
        self.tokens().balance(address)
    }

    pub fn allowance(&self) -> i128 {
        self.tokens().allowance(&self.payer.address(), &self.upto)
    }

    /// Returns the balances of payer, recipient and settlement contract.
    pub fn balances(&self) -> (i128, i128, i128) {
        (
            self.balance(&self.payer.address()),
            self.balance(&self.to),
            self.balance(&self.upto),
        )
    }

    /// Returns the token's events of the last call, as "name amount". Must be called before anything else.
    pub fn token_events(&self) -> vec::Vec<String> {
        let events = self.env.events().all().filter_by_contract(&self.token);
        events
            .events()
            .iter()
            .map(|event| {
                let ContractEventBody::V0(body) = &event.body;
                let ScVal::Symbol(name) = &body.topics[0] else {
                    panic!("an event without a name")
                };
                let data = match &body.data {
                    ScVal::Vec(Some(fields)) => &fields[0],
                    data => data,
                };
                let ScVal::I128(amount) = data else {
                    panic!("an event without an amount")
                };
                let amount = (i128::from(amount.hi) << 64) | i128::from(amount.lo);
                format!("{} {amount}", name.to_utf8_string_lossy())
            })
            .collect()
    }

    /// Asserts that a call changed nothing: no balances, no allowance, no record.
    pub fn assert_untouched(&self, terms: &Terms) {
        assert_eq!(self.balances(), (FUNDS, 0, 0));
        assert_eq!(self.allowance(), 0);
        assert_eq!(self.settled(terms), None);
    }
}
