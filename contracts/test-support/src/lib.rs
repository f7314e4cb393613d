//! What the tests of all contracts share: a ledger set up as testnet's, payers with keys, and the trees of
//! authorization that they sign.
//!
//! Nothing here pretends that something was authorized: entries are built as clients build them, and the host checks
//! their signatures, trees, nonces and expirations.

mod authorization;
mod classic_account;
mod key;
mod ledger;

pub use authorization::{invocation, Authorization, Credentials};
pub use classic_account::ClassicAccount;
pub use key::Key;
pub use ledger::{ledger, pass_ledgers, FIRST_LEDGER};
