//! The address is the hash of the terms.

use soroban_sdk::{testutils::Address as _, Address, Bytes, BytesN, Executable};
use test_support::ledger;

use super::market::{Market, CHANNEL_WASM};
use crate::{contract::CHANNEL, ChannelOpener, ChannelOpenerClient, Terms};

#[test]
fn channels_run_the_committed_module() {
    let market = Market::new();
    let wasm = Bytes::from_slice(&market.env, CHANNEL_WASM);
    let hash: BytesN<32> = market.env.crypto().sha256(&wasm).into();
    assert_eq!(
        hash.to_array(),
        CHANNEL,
        "the opener names the module: build the channel, change the constant, build the opener"
    );
    let channel = market.open(&market.terms(1));
    assert_eq!(channel.executable(), Some(Executable::Wasm(hash)));
}

#[test]
fn a_channel_is_at_the_address_that_was_said_before() {
    let market = Market::new();
    let terms = market.terms(1);
    let said = market.client().address(&terms);
    assert!(!said.exists());
    assert_eq!(market.open(&terms), said);
    assert_eq!(market.client().address(&terms), said);
}

#[test]
fn every_term_changes_the_address() {
    let market = Market::new();
    let address = |terms: &Terms| market.client().address(terms);
    let terms = market.terms(1);
    let other = Address::generate(&market.env);
    let changed = [
        Terms {
            commitment_key: BytesN::from_array(&market.env, &[9; 32]),
            ..terms.clone()
        },
        Terms {
            from: other.clone(),
            ..terms.clone()
        },
        Terms {
            refund_waiting_period: terms.refund_waiting_period + 1,
            ..terms.clone()
        },
        market.terms(2),
        Terms {
            to: other.clone(),
            ..terms.clone()
        },
        Terms {
            token: other.clone(),
            ..terms.clone()
        },
        // Payer and recipient in each other's place.
        Terms {
            from: terms.to.clone(),
            to: terms.from.clone(),
            ..terms.clone()
        },
    ];
    let mut all: std::vec::Vec<_> = changed.iter().map(address).collect();
    all.push(address(&terms));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), changed.len() + 1);
}

/// `channelAddress` of `src/protocol/sessions`, for ids and keys of 32 equal bytes: opener 1, token 2, voucher key 6, salt 5.
#[test]
fn it_is_that_of_the_typescript() {
    let env = ledger();
    let address = |text: &str| Address::from_str(&env, text);
    let opener = address("CAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQC526");
    env.register_at(&opener, ChannelOpener, ());
    let client = ChannelOpenerClient::new(&env, &opener);
    let terms = Terms {
        commitment_key: BytesN::from_array(&env, &[6; 32]),
        from: address("GACAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAJJHP"),
        refund_waiting_period: 17_280,
        salt: BytesN::from_array(&env, &[5; 32]),
        to: address("GABQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQHGPC"),
        token: address("CABAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAFNSZ"),
    };
    assert_eq!(
        client.address(&terms),
        address("CC2KN7WRR7TRJWNT5CT3PVE2ZLRDYEPR5MWOL4LPZBUVTZQ26APHPLZP")
    );
    let between_contracts = Terms {
        from: address("CAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQMCJ"),
        refund_waiting_period: u32::MAX,
        to: address("CAEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQTD2L"),
        ..terms
    };
    assert_eq!(
        client.address(&between_contracts),
        address("CD72GGGJBRVB2EPGLTDWZ2MG4A5UUOQFCFV4LMNPIXIK7NQCONOCPLHL")
    );
}
