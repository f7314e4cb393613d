//! The registry: who attests, for how long, and what ends an attestation.

use attestation_registry::{
    Attestation, AttestationRegistry, AttestationRegistryClient, Error, LONGEST_LIFE,
};
use soroban_sdk::{testutils::Address as _, Address, BytesN, Env, Executable, IntoVal};
use test_support::{invocation, ledger, pass_ledgers, Authorization, Credentials, Key};

mod shop {
    use soroban_sdk::{contract, contractimpl, Env};
    #[contract]
    pub struct Shop;
    #[contractimpl]
    impl Shop {
        pub fn open(_env: Env) {}
    }
}

pub fn shop(env: &Env) -> Address {
    env.register(shop::Shop, ())
}

/// Returns the hash of the module that a contract runs.
pub fn module_of(contract: &Address) -> BytesN<32> {
    match contract.executable() {
        Some(Executable::Wasm(hash)) => hash,
        other => panic!("{other:?} is no module"),
    }
}

pub struct Office {
    pub registry: Address,
}

impl Office {
    pub fn open(env: &Env) -> Self {
        let attestor = Address::generate(env);
        let registry = env.register(AttestationRegistry, (&attestor,));
        Self { registry }
    }

    pub fn attests<'a>(&self, env: &Env) -> AttestationRegistryClient<'a> {
        AttestationRegistryClient::new(env, &self.registry).mock_all_auths()
    }

    /// Attests the module that the contract runs, for `life` ledgers.
    pub fn attest(&self, env: &Env, contract: &Address, life: u32) {
        let expires = env.ledger().sequence() + life;
        self.attests(env)
            .attest(contract, &module_of(contract), &expires);
        env.set_auths(&[]);
    }

    pub fn revoke(&self, env: &Env, contract: &Address) {
        self.attests(env).revoke(contract);
        env.set_auths(&[]);
    }
}

#[test]
fn an_attestation_counts_until_it_expires() {
    let env = ledger();
    let (office, shop) = (Office::open(&env), shop(&env));
    let client = office.attests(&env);
    assert!(!client.is_verified(&shop));
    office.attest(&env, &shop, 100);
    assert!(client.is_verified(&shop));
    pass_ledgers(&env, 99);
    assert!(client.is_verified(&shop));
    pass_ledgers(&env, 1);
    assert!(!client.is_verified(&shop));
    // The expired attestation can still be read.
    assert!(client.attestation(&shop).is_some());
}

#[test]
fn the_attestor_renews_and_revokes_an_attestation() {
    let env = ledger();
    let (office, shop) = (Office::open(&env), shop(&env));
    office.attest(&env, &shop, 10);
    office.attest(&env, &shop, 1_000);
    pass_ledgers(&env, 500);
    let client = office.attests(&env);
    assert!(client.is_verified(&shop));
    office.revoke(&env, &shop);
    assert!(!client.is_verified(&shop));
    assert_eq!(client.attestation(&shop), None);
    // Revoking again isn't an error: the attestation is gone either way.
    office.revoke(&env, &shop);
}

#[test]
fn an_attestation_expires_in_the_future_and_within_a_year() {
    let env = ledger();
    let (office, shop) = (Office::open(&env), shop(&env));
    let now = env.ledger().sequence();
    let client = office.attests(&env);
    let hash = module_of(&shop);
    for expires in [0, now - 1, now, now + LONGEST_LIFE + 1, u32::MAX] {
        let answer = client.try_attest(&shop, &hash, &expires);
        assert_eq!(answer, Err(Ok(Error::InvalidExpiry)), "{expires}");
    }
    // Testnet does not keep entries for a year, and an attestation does not outlive its entry.
    let longest = env.ledger().max_live_until_ledger();
    assert!(longest < now + LONGEST_LIFE);
    let beyond = client.try_attest(&shop, &hash, &(longest + 1));
    assert_eq!(beyond, Err(Ok(Error::InvalidExpiry)));
    client.attest(&shop, &hash, &longest);
    client.attest(&shop, &hash, &(now + 1));
    assert_eq!(
        client.attestation(&shop),
        Some(Attestation {
            wasm_hash: hash,
            expires_ledger: now + 1
        })
    );
}

#[test]
fn only_the_attestor_attests_revokes_and_names_a_successor() {
    let env = ledger();
    let (office, shop) = (Office::open(&env), shop(&env));
    let client = AttestationRegistryClient::new(&env, &office.registry);
    let hash = module_of(&shop);
    let expires = env.ledger().sequence() + 10;
    assert!(client
        .set_auths(&[])
        .try_attest(&shop, &hash, &expires)
        .is_err());
    assert!(client.set_auths(&[]).try_revoke(&shop).is_err());
    assert!(client.set_auths(&[]).try_set_attestor(&shop).is_err());
}

#[test]
fn a_real_signature_replaces_the_attestor() {
    let env = ledger();
    let asset = env
        .register_stellar_asset_contract_v2(Address::generate(&env))
        .asset();
    let first = test_support::ClassicAccount::open(&env, Key::of(1), &asset);
    let second = test_support::ClassicAccount::open(&env, Key::of(2), &asset);
    let registry = env.register(AttestationRegistry, (&first.address,));
    let client = AttestationRegistryClient::new(&env, &registry);
    let shop = shop(&env);
    let nonce = core::cell::Cell::new(0);
    let signed = |by: &test_support::ClassicAccount, function: &str, arguments| {
        nonce.set(nonce.get() + 1);
        let authorization = Authorization {
            credentials: Credentials::Address,
            address: by.address.clone(),
            nonce: nonce.get(),
            expiration: env.ledger().sequence() + 100,
            root: invocation(&registry, function, arguments, &[]),
        };
        let signature = by.sign(&env, &authorization);
        authorization.signed(signature)
    };
    let expires = env.ledger().sequence() + 100;
    let hash = module_of(&shop);
    let attest = |by| {
        let entry = signed(by, "attest", (&shop, &hash, expires).into_val(&env));
        client
            .set_auths(&[entry])
            .try_attest(&shop, &hash, &expires)
            .is_ok()
    };
    assert!(attest(&first) && !attest(&second));
    let entry = signed(&first, "set_attestor", (&second.address,).into_val(&env));
    client.set_auths(&[entry]).set_attestor(&second.address);
    assert!(!attest(&first) && attest(&second));
    assert_eq!(client.attestor(), second.address);
}

// Pitfall 12: a module other than the one that was verified.
#[test]
fn a_contract_with_another_module_than_the_attested_one_is_not_verified() {
    let env = ledger();
    let (office, shop) = (Office::open(&env), shop(&env));
    let expires = env.ledger().sequence() + 100;
    let other = BytesN::from_array(&env, &[9; 32]);
    let client = office.attests(&env);
    client.attest(&shop, &other, &expires);
    assert!(!client.is_verified(&shop));
    // Neither is an address without a module: an asset's contract, or no contract at all.
    let asset = env
        .register_stellar_asset_contract_v2(Address::generate(&env))
        .address();
    client.attest(&asset, &other, &expires);
    assert!(!client.is_verified(&asset));
    let nothing = Address::generate(&env);
    client.attest(&nothing, &other, &expires);
    assert!(!client.is_verified(&nothing));
}
