//! Events for changes to the account. None is emitted while a payment is authorized, because facilitators refuse
//! payments whose simulation shows any event except the token's transfer.

use account_interface::{SignerKey, SignerStorage, SignerVal};
use soroban_sdk::{contractevent, BytesN};

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerAdded {
    #[topic]
    pub key: SignerKey,
    pub val: SignerVal,
    pub storage: SignerStorage,
}

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerUpdated {
    #[topic]
    pub key: SignerKey,
    pub val: SignerVal,
    pub storage: SignerStorage,
    pub old_storage: SignerStorage,
}

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerRemoved {
    #[topic]
    pub key: SignerKey,
    pub storage: SignerStorage,
}

#[contractevent]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgraded {
    pub new_hash: BytesN<32>,
}
