//! What a spending limit refuses, regardless of the recipient.

use account_interface::SignerKey;
use soroban_sdk::{
    auth::{Context, ContractContext},
    testutils::Address as _,
    vec, Address, BytesN, IntoVal, Symbol, Val, Vec,
};
use spending_limit::{Error, SpendingLimit, SpendingLimitClient};
use test_support::invocation;

use super::scene::{assert_refused, Scene, ANYBODY, ANY_AMOUNT, ANY_NUMBER, FIXED, FUNDS};

/// The policy's refusal, wrapped by the account.
const REFUSED: [u32; 2] = [1, 110];

// [spec: Authentication/Policy refusal]
#[test]
fn an_over_cap_payment_shows_the_policys_error_wrapped_by_the_accounts() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(100), Ok(()));
    let noted = scene.pay(1).expect_err("over the cap");
    let (policys, accounts) = (
        noted.iter().position(|number| *number == 1),
        noted.iter().position(|number| *number == 110),
    );
    assert!(policys.is_some() && policys < accounts, "{noted:?}");
    assert_eq!(scene.spent(&policy), 100);
}

#[test]
fn unknown_functions_of_the_token_are_refused() {
    let (scene, policy) = Scene::limited(FUNDS);
    let now = scene.env.ledger().sequence();
    let agent = &[&scene.agent as &dyn super::signing::Sign];
    let refused = |function, arguments: Vec<Val>| {
        assert_refused(
            scene.call(&scene.token, function, arguments, &[], agent),
            &REFUSED,
        );
    };
    refused("burn", (&scene.wallet, 1i128).into_val(&scene.env));
    // An allowance is as good as money spent, even an allowance for the settlement contract.
    for spender in [&scene.to, &scene.upto] {
        let arguments = (&scene.wallet, spender, 1i128, now + 10);
        refused("approve", arguments.into_val(&scene.env));
    }
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn zero_and_negative_amounts_are_refused() {
    let (scene, policy) = Scene::limited(100);
    assert_eq!(scene.pay(60), Ok(()));
    assert_refused(scene.pay(0), &REFUSED);
    // The token would refuse it too, but the policy is called first, and does not give anything back.
    assert!(scene.pay(-50).is_err());
    assert_eq!(scene.spent(&policy), 60);
}

#[test]
fn the_largest_amounts_do_not_wrap() {
    let (scene, policy) = Scene::limited(i128::MAX);
    assert_eq!(scene.pay(2), Ok(()));
    assert_refused(scene.pay(i128::MAX), &REFUSED);
    assert_eq!(scene.spent(&policy), 2);
}

#[test]
fn another_token_is_refused() {
    let (scene, policy) = Scene::limited(FUNDS);
    let other = scene
        .env
        .register_stellar_asset_contract_v2(Address::generate(&scene.env));
    let limits = scene.grants(&[(&other.address(), &[SignerKey::Policy(policy)])]);
    let agent = super::signing::Sign::signer(&scene.agent, &scene.env, None, limits);
    scene
        .manage("update_signer", (agent,), &[&scene.owner])
        .expect("updated");
    let arguments = (&scene.wallet, &scene.to, 1i128);
    let paid = scene.call(
        &other.address(),
        "transfer",
        arguments,
        &[],
        &[&scene.agent],
    );
    assert_refused(paid, &REFUSED);
}

#[test]
fn calls_below_another_contract_are_refused() {
    let (scene, _) = Scene::limited(FUNDS);
    let other = scene.env.register(carrier::Carrier, ());
    let keys = |policy: &Address| [SignerKey::Policy(policy.clone())];
    let policy = scene.account().policies().get(0).expect("one");
    let limits = scene.grants(&[(&other, &keys(&policy)), (&scene.token, &keys(&policy))]);
    let agent = super::signing::Sign::signer(&scene.agent, &scene.env, None, limits);
    scene
        .manage("update_signer", (agent,), &[&scene.owner])
        .expect("updated");
    let below = invocation(
        &scene.token,
        "transfer",
        (&scene.wallet, &scene.to, 1i128).into_val(&scene.env),
        &[],
    );
    let arguments = (&scene.token, &scene.wallet, &scene.to);
    let carried = scene.call(&other, "carry", arguments, &[below], &[&scene.agent]);
    assert_refused(carried, &REFUSED);
}

mod carrier {
    use soroban_sdk::{contract, contractimpl, token::TokenClient, Address, Env};
    #[contract]
    pub struct Carrier;
    #[contractimpl]
    impl Carrier {
        pub fn carry(env: Env, token: Address, from: Address, to: Address) {
            from.require_auth();
            TokenClient::new(&env, &token).transfer(&from, &to, &1);
        }
    }
}

#[test]
fn the_account_itself_is_not_a_recipient() {
    let (scene, _) = Scene::limited(FUNDS);
    let agent = [&scene.agent as &dyn super::signing::Sign];
    assert_refused(scene.pay_to(&scene.wallet, 1, &agent), &REFUSED);
}

// [spec: Policy gateway/No opinion on the recipient]
#[test]
fn recipients_are_not_judged() {
    let (scene, policy) = Scene::limited(100);
    for _ in 0..5 {
        let to = Address::generate(&scene.env);
        assert_eq!(scene.pay_to(&to, 20, &[&scene.agent]), Ok(()));
    }
    assert_eq!(scene.spent(&policy), 100);
}

// Pitfall 3: the functions of a policy are public.
#[test]
fn only_the_account_changes_its_policy() {
    let (scene, policy) = Scene::limited(100);
    let client = SpendingLimitClient::new(&scene.env, &policy);
    let agent: Val = super::signing::Sign::key(&scene.agent, &scene.env).into_val(&scene.env);
    let payment = Context::Contract(ContractContext {
        contract: scene.token.clone(),
        fn_name: Symbol::new(&scene.env, "transfer"),
        args: (&scene.wallet, &scene.to, 100i128).into_val(&scene.env),
    });
    let payments = vec![&scene.env, payment];
    let unsigned = client
        .set_auths(&[])
        .try_policy__(&scene.wallet, &agent, &payments);
    assert!(unsigned.is_err());
    // Anyone may call it in their own name, but they are not the account.
    let stranger = Address::generate(&scene.env);
    let answer = client
        .mock_all_auths()
        .try_policy__(&stranger, &agent, &payments);
    assert_eq!(answer, Err(Ok(Error::WrongWallet)));
    assert_eq!(scene.spent(&policy), 0);
}

#[test]
fn a_deployment_is_not_a_payment() {
    use soroban_sdk::auth::{ContractExecutable, CreateContractHostFnContext};
    let (scene, policy) = Scene::limited(100);
    let agent: Val = super::signing::Sign::key(&scene.agent, &scene.env).into_val(&scene.env);
    let deployment = Context::CreateContractHostFn(CreateContractHostFnContext {
        executable: ContractExecutable::Wasm(BytesN::from_array(&scene.env, &[1; 32])),
        salt: BytesN::from_array(&scene.env, &[1; 32]),
    });
    let asked = SpendingLimitClient::new(&scene.env, &policy)
        .mock_all_auths()
        .try_policy__(&scene.wallet, &agent, &vec![&scene.env, deployment]);
    assert_eq!(asked, Err(Ok(Error::NotAllowed)));
}

// Pitfall 9: arguments are decoded with exact types.
#[test]
fn arguments_of_other_types_or_in_another_number_are_refused() {
    let (scene, policy) = Scene::limited(FUNDS);
    let env = &scene.env;
    let agent: Val = super::signing::Sign::key(&scene.agent, env).into_val(env);
    let ask = |contract: &Address, function: &str, args: Vec<Val>| {
        let call = Context::Contract(ContractContext {
            contract: contract.clone(),
            fn_name: Symbol::new(env, function),
            args,
        });
        SpendingLimitClient::new(env, &policy)
            .mock_all_auths()
            .try_policy__(&scene.wallet, &agent, &vec![env, call])
    };
    let refused = Err(Ok(Error::NotAllowed));
    let (wallet, to, token, upto) = (&scene.wallet, &scene.to, &scene.token, &scene.upto);
    assert_eq!(ask(token, "transfer", (wallet, to).into_val(env)), refused);
    assert_eq!(
        ask(token, "transfer", (wallet, to, 1u64).into_val(env)),
        refused
    );
    assert_eq!(
        ask(token, "transfer", (wallet, 1i128, 1i128).into_val(env)),
        refused
    );
    assert_eq!(
        ask(token, "transfer", (to, wallet, 1i128).into_val(env)),
        refused
    );
    assert_eq!(
        ask(token, "transfer", (wallet, to, 1i128, 1i128).into_val(env)),
        refused
    );
    let nonce = BytesN::from_array(env, &[1; 32]);
    let settle: Vec<Val> = (token, wallet, to, 10i128, 1_000_100u32, &nonce).into_val(env);
    assert_eq!(ask(upto, "settle", settle.clone()), Ok(Ok(())));
    for (at, value) in [
        (0, to.to_val()),
        (1, to.to_val()),
        (2, wallet.to_val()),
        (3, 0i128.into_val(env)),
        (3, 1_000_100u32.into_val(env)),
        (4, 10i128.into_val(env)),
        (5, 7u32.into_val(env)),
    ] {
        let mut changed = settle.clone();
        changed.set(at, value);
        assert_eq!(ask(upto, "settle", changed), refused, "argument {at}");
    }
    // The call has eight arguments; the payer signs six.
    let mut call = settle.clone();
    call.push_back(1i128.into_val(env));
    call.push_back(().into_val(env));
    assert_eq!(ask(upto, "settle", call), refused);
    assert_eq!(ask(upto, "settled", settle.clone()), refused);
    assert_eq!(ask(to, "settle", settle), refused);
}

#[test]
fn a_policy_refuses_invalid_constructor_arguments() {
    let makes = |change: fn(&Scene) -> Arguments| {
        let scene = Scene::new();
        let arguments = change(&scene);
        let register = || register(&scene, arguments);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(register)).is_ok()
    };
    assert!(makes(|s| (s.token.clone(), None, 1, 1)));
    assert!(makes(|s| (
        s.token.clone(),
        Some(s.upto.clone()),
        i128::MAX,
        u64::MAX
    )));
    assert!(!makes(|s| (s.token.clone(), None, 0, 1)));
    assert!(!makes(|s| (s.token.clone(), None, -1, 1)));
    assert!(!makes(|s| (s.token.clone(), None, 1, 0)));
    assert!(!makes(|s| (s.wallet.clone(), None, 1, 1)));
    assert!(!makes(|s| (s.token.clone(), Some(s.token.clone()), 1, 1)));
    assert!(!makes(|s| (s.token.clone(), Some(s.wallet.clone()), 1, 1)));
}

/// The constructor arguments after the wallet: token, `upto`, limit in atomic units, window in seconds.
type Arguments = (Address, Option<Address>, i128, u64);

fn register(scene: &Scene, (token, upto, limit, window): Arguments) -> Address {
    let wallet = &scene.wallet;
    let terms = (
        wallet, token, upto, limit, window, ANY_AMOUNT, ANYBODY, ANY_NUMBER, FIXED,
    );
    scene.env.register(SpendingLimit, terms)
}
