//! An account that is nothing but OpenZeppelin's library: rules, signers and policies as it has them.
#![no_std]

use soroban_sdk::{
    auth::{Context, CustomAccountInterface},
    contract, contractimpl,
    crypto::Hash,
    map, vec, Address, BytesN, Env, Map, String, Val, Vec,
};
use stellar_accounts::smart_account::{
    add_context_rule, do_check_auth, AuthDigestPreimage, AuthPayload, ContextRule, ContextRuleType,
    Signer, SmartAccount, SmartAccountError,
};

#[contract]
pub struct Account;

#[contractimpl]
impl Account {
    /// The first rule, number 0: the owner may do everything.
    pub fn __constructor(e: &Env, owner: Signer) {
        let name = String::from_str(e, "owner");
        add_context_rule(
            e,
            &ContextRuleType::Default,
            &name,
            None,
            &vec![e, owner],
            &map![e],
        );
    }
}

#[contractimpl]
impl CustomAccountInterface for Account {
    type Error = SmartAccountError;
    type Signature = AuthPayload;

    fn __check_auth(
        e: Env,
        payload: Hash<32>,
        signatures: AuthPayload,
        contexts: Vec<Context>,
    ) -> Result<(), SmartAccountError> {
        do_check_auth(&e, &payload, &signatures, &contexts)
    }
}

#[contractimpl(contracttrait)]
impl SmartAccount for Account {}
