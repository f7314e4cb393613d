//! An account that uses OpenZeppelin's library unchanged, with its rules, signers and policies.
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
    /// Adds rule 0, which permits the owner to do everything.
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
