//! OpenZeppelin's spending limit as a policy contract.
#![no_std]

use soroban_sdk::{auth::Context, contract, contractimpl, Address, Env, Vec};
use stellar_accounts::{
    policies::{
        spending_limit::{self, SpendingLimitAccountParams},
        Policy,
    },
    smart_account::{ContextRule, Signer},
};

#[contract]
pub struct SpendingLimit;

#[contractimpl]
impl Policy for SpendingLimit {
    type AccountParams = SpendingLimitAccountParams;

    fn enforce(
        e: &Env,
        context: Context,
        signers: Vec<Signer>,
        rule: ContextRule,
        account: Address,
    ) {
        spending_limit::enforce(e, &context, &signers, &rule, &account);
    }

    fn install(e: &Env, params: SpendingLimitAccountParams, rule: ContextRule, account: Address) {
        spending_limit::install(e, &params, &rule, &account);
    }

    fn uninstall(e: &Env, rule: ContextRule, account: Address) {
        spending_limit::uninstall(e, &rule, &account);
    }
}
