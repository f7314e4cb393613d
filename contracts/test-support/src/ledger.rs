use soroban_sdk::{
    testutils::{EnvTestConfig, Ledger as _, LedgerInfo},
    Bytes, Env,
};

/// The ledger in which every test starts.
pub const FIRST_LEDGER: u32 = 1_000_000;
const SECONDS_A_LEDGER: u64 = 5;

/// Creates a ledger of protocol 27 with testnet's passphrase and entry lifetimes.
pub fn ledger() -> Env {
    let env = Env::new_with_config(EnvTestConfig {
        capture_snapshot_at_drop: false,
    });
    let passphrase = Bytes::from_slice(&env, b"Test SDF Network ; September 2015");
    let network_id = env.crypto().sha256(&passphrase).to_array();
    env.ledger().set(LedgerInfo {
        protocol_version: 27,
        sequence_number: FIRST_LEDGER,
        timestamp: 1_780_000_000,
        network_id,
        base_reserve: 5_000_000,
        min_temp_entry_ttl: 720,
        min_persistent_entry_ttl: 120_960,
        max_entry_ttl: 3_110_400,
    });
    env
}

/// Closes `count` ledgers, one every five seconds.
pub fn pass_ledgers(env: &Env, count: u32) {
    env.ledger().with_mut(|ledger| {
        ledger.sequence_number += count;
        ledger.timestamp += u64::from(count) * SECONDS_A_LEDGER;
    });
}
