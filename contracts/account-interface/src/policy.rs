use soroban_sdk::{auth::Context, contractclient, Address, Env, Vec};

use crate::SignerKey;

/// A contract that an account asks before a limited signer acts.
#[contractclient(name = "PolicyClient")]
pub trait Policy {
    /// Called when the account takes the policy among its signers. Refuses an account that it is not made for.
    fn install(env: Env, wallet: Address);

    /// Called by anybody after the account has let it go.
    fn uninstall(env: Env, wallet: Address);

    /// Approves what `signer` wants to do in the name of `source`, or fails. Called in `__check_auth`, with one call to
    /// approve at a time, so it emits no events.
    fn policy__(env: Env, source: Address, signer: SignerKey, contexts: Vec<Context>);
}
