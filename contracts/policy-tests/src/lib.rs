//! Tests of the smart account, its policies, the registry and the settlement contract together.
//!
//! Authorization is real: trees are built as clients build them and signed with Ed25519 and P-256 keys, and the host
//! checks them.

#[cfg(test)]
mod tests;
