use soroban_sdk::{auth::Context, contractclient, Address, Env, Vec};

use crate::SignerKey;

/// A contract that an account consults before a limited signer acts.
#[contractclient(name = "PolicyClient")]
pub trait Policy {
    /// Called when the account adds the policy to its signers. Refuses any account but its own.
    fn install(env: Env, wallet: Address);

    /// May be called by anyone after the account has removed the policy.
    fn uninstall(env: Env, wallet: Address);

    /// Approves what `signer` wants to do on behalf of `source`, or fails. The account calls this in `__check_auth`,
    /// with one call to approve at a time, so it emits no events.
    fn policy__(env: Env, source: Address, signer: SignerKey, contexts: Vec<Context>);
}
