//! What the tests of all contracts share: a ledger configured like testnet, payers with keys, and the authorization
//! trees that they sign.
//!
//! Nothing here mocks authorization: entries are built as clients build them, and the host checks their signatures,
//! trees, nonces and expirations.

mod authorization;
mod classic_account;
mod key;
mod ledger;

pub use authorization::{invocation, Authorization, Credentials};
pub use classic_account::ClassicAccount;
pub use key::Key;
pub use ledger::{ledger, pass_ledgers, FIRST_LEDGER};
