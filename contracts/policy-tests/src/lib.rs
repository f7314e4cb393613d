//! Smart account, policies, registry and settlement contract together.
//!
//! Nothing is pretended to be authorized: trees are built as clients build them and signed with Ed25519 and P-256 keys,
//! and the host checks them.

#[cfg(test)]
mod tests;
