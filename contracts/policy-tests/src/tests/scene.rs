//! An account with a passkey as owner and an agent's key, a token, a settlement contract and a recipient.

use core::cell::Cell;

use account_interface::{Signer, SignerExpiration, SignerKey, SignerLimits, SignerStorage};
use smart_account::{SmartAccount, SmartAccountClient};
use soroban_sdk::{
    testutils::{Address as _, Events as _},
    token::{StellarAssetClient, TokenClient},
    xdr::{
        ContractEventBody, ScError, ScVal, SorobanAuthorizationEntry, SorobanAuthorizedInvocation,
    },
    Address, BytesN, Env, IntoVal, InvokeError, Map, Symbol, Val, Vec,
};
use spending_limit::{Budget, Config, SpendingLimit};
use test_support::{invocation, ledger, Authorization, Credentials, Key};
use upto::{Upto, UptoClient};

use super::signing::{signatures, Passkey, Sign, FOR_EVER, OWNER};

/// The account's balance when a test starts.
pub const FUNDS: i128 = 1_000_000;
pub const WINDOW: u64 = 86_400;
/// A spending limit without a maximum for one payment, and without a list of recipients.
pub const ANY_AMOUNT: Option<i128> = None;
pub const ANYBODY: Option<Vec<Address>> = None;
pub const ANY_NUMBER: Option<u32> = None;
pub const FIXED: bool = false;
pub const SLIDING: bool = true;

/// Contract errors that the host recorded while a call failed, the innermost first.
pub type Refusal = std::vec::Vec<u32>;

/// Where the contracts come from.
#[derive(Clone, Copy)]
pub enum Modules {
    /// From source, in the test's own process.
    Native,
    /// The committed and deployed modules, in the host's virtual machine.
    Committed,
}

pub const ACCOUNT_WASM: &[u8] = include_bytes!("../../../wasm/smart-account.wasm");
pub const LIMIT_WASM: &[u8] = include_bytes!("../../../wasm/spending-limit.wasm");
const UPTO_WASM: &[u8] = include_bytes!("../../../wasm/upto.wasm");

pub struct Scene {
    pub env: Env,
    modules: Modules,
    pub token: Address,
    pub upto: Address,
    pub wallet: Address,
    pub owner: Passkey,
    pub agent: Key,
    pub to: Address,
    signed: Cell<i64>,
}

/// The limits of a policy.
#[derive(Clone, Debug)]
pub struct Limits {
    pub limit: i128,
    pub window: u64,
    pub per_payment: Option<i128>,
    pub recipients: Option<Vec<Address>>,
    pub payments: Option<u32>,
    pub sliding: bool,
}

type Terms9<'a> = (
    &'a Address,
    &'a Address,
    Option<&'a Address>,
    i128,
    u64,
    Option<i128>,
    Option<Vec<Address>>,
    Option<u32>,
    bool,
);

impl Limits {
    /// Limits spending to `limit` per day.
    pub fn of(limit: i128) -> Self {
        Self {
            limit,
            window: WINDOW,
            per_payment: ANY_AMOUNT,
            recipients: ANYBODY,
            payments: ANY_NUMBER,
            sliding: FIXED,
        }
    }

    /// Limits spending to `limit` in any 24 hours.
    pub fn sliding(limit: i128) -> Self {
        Self {
            sliding: SLIDING,
            ..Self::of(limit)
        }
    }

    /// Returns the arguments of `change_limits`.
    pub fn change(self, revision: u32) -> Change {
        let Self {
            limit,
            window,
            per_payment,
            recipients,
            payments,
            sliding,
        } = self;
        (
            revision,
            limit,
            window,
            per_payment,
            recipients,
            payments,
            sliding,
        )
    }
}

/// The arguments of `change_limits`, in its order.
pub type Change = (
    u32,
    i128,
    u64,
    Option<i128>,
    Option<Vec<Address>>,
    Option<u32>,
    bool,
);

/// The terms that the payer signs for `upto`.
#[derive(Clone, Debug)]
pub struct Terms {
    pub ceiling: i128,
    pub expiration: u32,
    pub nonce: BytesN<32>,
}

impl Scene {
    pub fn new() -> Self {
        Self::made_of(Modules::Native)
    }

    pub fn made_of(modules: Modules) -> Self {
        let env = ledger();
        let owner = Passkey::of(7);
        let token = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let first = (owner.signer(&env, FOR_EVER, OWNER),);
        let (upto, wallet) = match modules {
            Modules::Native => (env.register(Upto, ()), env.register(SmartAccount, first)),
            Modules::Committed => (
                env.register(UPTO_WASM, ()),
                env.register(ACCOUNT_WASM, first),
            ),
        };
        let scene = Self {
            modules,
            token: token.address(),
            upto,
            wallet,
            to: Address::generate(&env),
            owner,
            agent: Key::of(2),
            signed: Cell::new(0),
            env,
        };
        scene.fund(&scene.wallet, FUNDS);
        scene
    }

    /// Creates a scene whose agent may pay with the token and through the settlement contract, up to a limit.
    pub fn limited(limit: i128) -> (Self, Address) {
        Self::limited_of(Modules::Native, limit)
    }

    pub fn limited_of(modules: Modules, limit: i128) -> (Self, Address) {
        let scene = Self::made_of(modules);
        let policy = scene.spending_limit(limit);
        scene.limit_by(&policy);
        (scene, policy)
    }

    pub fn spending_limit(&self, limit: i128) -> Address {
        self.narrow_limit(limit, ANY_AMOUNT, ANYBODY)
    }

    /// Deploys a limit with a maximum for one payment and a list of recipients.
    pub fn narrow_limit(
        &self,
        limit: i128,
        per_payment: Option<i128>,
        recipients: Option<Vec<Address>>,
    ) -> Address {
        self.made_limit(Limits {
            per_payment,
            recipients,
            ..Limits::of(limit)
        })
    }

    pub fn made_limit(&self, limits: Limits) -> Address {
        match self.modules {
            Modules::Native => self.env.register(SpendingLimit, self.terms_of(limits)),
            Modules::Committed => self.env.register(LIMIT_WASM, self.terms_of(limits)),
        }
    }

    /// Returns the constructor arguments.
    pub fn terms_of(&self, limits: Limits) -> Terms9<'_> {
        (
            &self.wallet,
            &self.token,
            Some(&self.upto),
            limits.limit,
            limits.window,
            limits.per_payment,
            limits.recipients,
            limits.payments,
            limits.sliding,
        )
    }

    /// Deploys a limit that runs this module, whatever the other contracts run.
    pub fn spending_limit_of(&self, wasm: &[u8], limit: i128) -> Address {
        self.env.register(wasm, self.terms_of(Limits::of(limit)))
    }

    /// Changes the limits of a policy.
    pub fn change(
        &self,
        policy: &Address,
        revision: u32,
        limits: Limits,
        signers: &[&dyn Sign],
    ) -> Result<(), Refusal> {
        let arguments = limits.change(revision);
        self.call(policy, "change_limits", arguments, &[], signers)
    }

    /// Allows the agent to pay under this policy only.
    pub fn limit_by(&self, policy: &Address) {
        self.add_policy(policy).expect("attached");
        self.grant(&self.payments(&[policy]));
    }

    /// Mints tokens. The issuer's authorization is not under test.
    pub fn fund(&self, address: &Address, amount: i128) {
        StellarAssetClient::new(&self.env, &self.token)
            .mock_all_auths()
            .mint(address, &amount);
        self.env.set_auths(&[]);
    }

    /// Returns grants for the token and the settlement contract under these policies.
    pub fn payments(&self, policies: &[&Address]) -> SignerLimits {
        let keys = policies
            .iter()
            .map(|policy| SignerKey::Policy((*policy).clone()));
        let keys: std::vec::Vec<SignerKey> = keys.collect();
        self.grants(&[(&self.token, &keys), (&self.upto, &keys)])
    }

    pub fn grants(&self, contracts: &[(&Address, &[SignerKey])]) -> SignerLimits {
        let mut grants: Map<Address, Option<Vec<SignerKey>>> = Map::new(&self.env);
        for (contract, approvers) in contracts {
            grants.set(
                (*contract).clone(),
                Some(Vec::from_slice(&self.env, approvers)),
            );
        }
        SignerLimits(Some(grants))
    }

    /// Adds the agent's key with these limits.
    pub fn grant(&self, limits: &SignerLimits) {
        let agent = self.agent.signer(&self.env, FOR_EVER, limits.clone());
        self.add_signer(agent).expect("added");
    }

    pub fn policy_signer(&self, policy: &Address) -> Signer {
        let none = SignerLimits(Some(Map::new(&self.env)));
        let for_ever = SignerExpiration(FOR_EVER);
        Signer::Policy(policy.clone(), for_ever, none, SignerStorage::Persistent)
    }

    pub fn add_policy(&self, policy: &Address) -> Result<(), Refusal> {
        self.add_signer(self.policy_signer(policy))
    }

    pub fn add_signer(&self, signer: Signer) -> Result<(), Refusal> {
        self.manage("add_signer", (signer,), &[&self.owner])
    }

    /// Calls one of the account's own functions, signed by the given signers.
    pub fn manage(
        &self,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
        signers: &[&dyn Sign],
    ) -> Result<(), Refusal> {
        self.call(&self.wallet, function, arguments, &[], signers)
    }

    /// Calls a contract on behalf of the account: the call is the root of the signed tree.
    pub fn call(
        &self,
        contract: &Address,
        function: &str,
        arguments: impl IntoVal<Env, Vec<Val>>,
        below: &[SorobanAuthorizedInvocation],
        signers: &[&dyn Sign],
    ) -> Result<(), Refusal> {
        let arguments: Vec<Val> = arguments.into_val(&self.env);
        let root = invocation(contract, function, arguments.clone(), below);
        self.invoke(contract, function, arguments, &[self.sign(root, signers)])
    }

    /// Calls a contract with these authorization entries and no others.
    pub fn invoke(
        &self,
        contract: &Address,
        function: &str,
        arguments: Vec<Val>,
        entries: &[SorobanAuthorizationEntry],
    ) -> Result<(), Refusal> {
        self.env.set_auths(entries);
        let name = Symbol::new(&self.env, function);
        let answer = self
            .env
            .try_invoke_contract::<Val, InvokeError>(contract, &name, arguments);
        answer.map(|_| ()).map_err(|_| self.noted())
    }

    /// Returns the numbers of the contract errors in the host's diagnostics of the last call, in their order.
    fn noted(&self) -> Refusal {
        let events = self
            .env
            .host()
            .get_diagnostic_events()
            .expect("diagnostics");
        let numbers = events.0.iter().flat_map(|noted| {
            let ContractEventBody::V0(body) = &noted.event.body;
            body.topics.iter().find_map(|topic| match topic {
                ScVal::Error(ScError::Contract(number)) => Some(*number),
                _ => None,
            })
        });
        numbers.collect()
    }

    pub fn entry(
        &self,
        root: SorobanAuthorizedInvocation,
        sign: impl FnOnce(&Authorization) -> ScVal,
    ) -> SorobanAuthorizationEntry {
        self.signed.set(self.signed.get() + 1);
        let authorization = Authorization {
            credentials: Credentials::AddressBound,
            address: self.wallet.clone(),
            nonce: self.signed.get(),
            expiration: self.env.ledger().sequence() + 100,
            root,
        };
        let signature = sign(&authorization);
        authorization.signed(signature)
    }

    pub fn sign(
        &self,
        root: SorobanAuthorizedInvocation,
        signers: &[&dyn Sign],
    ) -> SorobanAuthorizationEntry {
        self.entry(root, |authorization| {
            signatures(&self.env, authorization, signers)
        })
    }

    /// Pays directly with the agent's key, as `exact` does.
    pub fn pay(&self, amount: i128) -> Result<(), Refusal> {
        self.pay_to(&self.to, amount, &[&self.agent])
    }

    pub fn pay_to(&self, to: &Address, amount: i128, signers: &[&dyn Sign]) -> Result<(), Refusal> {
        self.call(
            &self.token,
            "transfer",
            (&self.wallet, to, amount),
            &[],
            signers,
        )
    }

    pub fn terms(&self, ceiling: i128, nonce: u8) -> Terms {
        Terms {
            ceiling,
            expiration: self.env.ledger().sequence() + 1_000,
            nonce: BytesN::from_array(&self.env, &[nonce; 32]),
        }
    }

    pub fn approve_of(&self, terms: &Terms) -> SorobanAuthorizedInvocation {
        let arguments = (&self.wallet, &self.upto, terms.ceiling, terms.expiration);
        invocation(&self.token, "approve", arguments.into_val(&self.env), &[])
    }

    /// Builds `settle` over the six terms, with these sub-invocations.
    pub fn settle_of(
        &self,
        terms: &Terms,
        below: &[SorobanAuthorizedInvocation],
    ) -> SorobanAuthorizedInvocation {
        let arguments = (
            &self.token,
            &self.wallet,
            &self.to,
            terms.ceiling,
            terms.expiration,
            &terms.nonce,
        );
        invocation(&self.upto, "settle", arguments.into_val(&self.env), below)
    }

    /// Signs a ceiling with the agent's key, and settles.
    pub fn settle(&self, terms: &Terms, actual: i128) -> Result<(), Refusal> {
        let root = self.settle_of(terms, &[self.approve_of(terms)]);
        self.present(terms, actual, &[self.sign(root, &[&self.agent])])
    }

    pub fn present(
        &self,
        terms: &Terms,
        actual: i128,
        entries: &[SorobanAuthorizationEntry],
    ) -> Result<(), Refusal> {
        let nothing: Option<Address> = None;
        let arguments = (
            &self.token,
            &self.wallet,
            &self.to,
            terms.ceiling,
            terms.expiration,
            &terms.nonce,
            actual,
            nothing,
        );
        self.invoke(&self.upto, "settle", arguments.into_val(&self.env), entries)
    }

    pub fn settled(&self, terms: &Terms) -> Option<i128> {
        UptoClient::new(&self.env, &self.upto).settled(&self.wallet, &terms.nonce)
    }

    pub fn budget(&self, policy: &Address) -> Budget {
        let read = || spending_limit::budget(&self.env);
        self.env.as_contract(policy, read)
    }

    pub fn config(&self, policy: &Address) -> Config {
        let read = || spending_limit::config(&self.env);
        self.env.as_contract(policy, read)
    }

    pub fn spent(&self, policy: &Address) -> i128 {
        self.budget(policy).spent
    }

    pub fn account(&self) -> SmartAccountClient<'_> {
        SmartAccountClient::new(&self.env, &self.wallet)
    }

    pub fn paid(&self) -> i128 {
        TokenClient::new(&self.env, &self.token).balance(&self.to)
    }

    /// Returns the names of all contract events of the last call.
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

    /// Lets seconds pass, and ledgers with them.
    pub fn pass(&self, seconds: u64) {
        test_support::pass_ledgers(&self.env, (seconds / 5) as u32);
    }
}

/// Asserts that a call was refused, with these errors among those that the host recorded.
pub fn assert_refused(answer: Result<(), Refusal>, expected: &[u32]) {
    let noted = answer.expect_err("it is refused");
    for number in expected {
        assert!(noted.contains(number), "#{number} is not in {noted:?}");
    }
}
