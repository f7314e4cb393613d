//! The bytes that are signed: those of stock MPP, and those that the project's TypeScript makes.

use std::{format, string::String};

use soroban_sdk::{Address, Bytes, BytesN};

use super::scene::{Outcome, Scene};
use crate::{voucher, Channel, Error};

fn hex(bytes: &Bytes) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of(hex: &str) -> std::vec::Vec<u8> {
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"))
        .collect()
}

/// `commitmentBytes` of `src/protocol/sessions`, for the contract whose id is 32 sevens.
const COMMITMENT: &str = concat!(
    "0000001100000001000000040000000f00000006616d6f756e7400000000000a000000018ee90ff6c373e0ee4e3f0ad2",
    "0000000f000000076368616e6e656c00000000120000000107070707070707070707070707070707070707070707070707",
    "070707070707070000000f00000006646f6d61696e00000000000f000000086368616e636d6d740000000f00000007",
    "6e6574776f726b000000000d00000020cee0302d59844d32bdca915c8203dd44b33fbb7edc19051ea37abedf28ecd472",
);
/// `closingBytes`, for the same.
const CLOSING: &str = concat!(
    "0000001100000001000000030000000f000000076368616e6e656c00000000120000000107070707070707070707070707",
    "070707070707070707070707070707070707070000000f00000006646f6d61696e00000000000f000000096368616e63",
    "6c6f73650000000000000f000000076e6574776f726b000000000d00000020cee0302d59844d32bdca915c8203dd44b3",
    "3fbb7edc19051ea37abedf28ecd472",
);
const SEVENS: &str = "CADQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQP5KR";

#[test]
fn they_are_those_of_the_typescript() {
    let scene = Scene::empty();
    let channel = Address::from_str(&scene.env, SEVENS);
    scene.env.register_at(&channel, Channel, scene.terms(0));
    let (commitment, closing) = scene.env.as_contract(&channel, || {
        let amount = 123_456_789_012_345_678_901_234_567_890;
        (
            voucher::commitment(&scene.env, amount),
            voucher::closing(&scene.env),
        )
    });
    assert_eq!(hex(&commitment), COMMITMENT);
    assert_eq!(hex(&closing), CLOSING);
}

#[test]
fn prepare_commitment_returns_them_and_refuses_amounts_below_zero() {
    let scene = Scene::empty();
    let prepared = scene.client().prepare_commitment(&400);
    let same = || voucher::commitment(&scene.env, 400);
    assert_eq!(prepared, scene.env.as_contract(&scene.channel, same));
    assert_eq!(prepared.len(), 192);
    let below = scene.client().try_prepare_commitment(&-1);
    assert_eq!(below, Err(Ok(Error::NegativeAmount)));
}

/// `test/mpp/vectors/channel-vouchers-close.json`: what a stock client signed.
const STOCK_CHANNEL: &str = "CC2YH3ESBRRPOUTP74KQJESANSL4JGEU2J57AGCQUCEDZI4CZZC72ID3";
const STOCK_KEY: &str = "847a81b8b2547fb9e4d45cea95b31af8790a61432856fef1e7f1c5128a6eeaaa";
const STOCK_VOUCHER: (i128, &str) = (
    1_000_000,
    "12604c3c4c9bad663f8f9fe58f84c957f313f5baa5674b54f30cdceda5683dcf50478cf30db68c739fdf2d8f4f3c29319babe929ea2a6c77c9831260d459cd06",
);
const STOCK_CLOSE: (i128, &str) = (
    4_000_000,
    "99964e065b70e2daafefe58d745aa459d98b61a9646e619c63855d80a5f98774c62bc41d77bd6115695c633ef20fa0d04cd97887ab04b47461963f97316c4f0d",
);

#[test]
fn vouchers_of_a_stock_client_are_paid() {
    let scene = Scene::empty();
    let channel = Address::from_str(&scene.env, STOCK_CHANNEL);
    let (token, from, _, to, amount, wait) = scene.terms(0);
    let key: [u8; 32] = bytes_of(STOCK_KEY).try_into().expect("32 bytes");
    let key = BytesN::from_array(&scene.env, &key);
    let terms = (token, from, key, to, amount, wait);
    scene.env.register_at(&channel, Channel, terms);
    scene.mint(&channel, 10_000_000);

    let of = |(amount, sig): (i128, &str)| {
        let sig: [u8; 64] = bytes_of(sig).try_into().expect("64 bytes");
        (amount, BytesN::from_array(&scene.env, &sig))
    };
    let settled = scene.call(&channel, "settle", of(STOCK_VOUCHER), &[]);
    assert_eq!(settled, Outcome::Done);
    assert_eq!(scene.balance(&scene.recipient.address), 1_000_000);
    let (_, sig) = of(STOCK_VOUCHER);
    let raised = scene.call(&channel, "settle", (1_000_001i128, sig), &[]);
    assert_eq!(raised, Outcome::Failed);
    let arguments = of(STOCK_CLOSE);
    let closed = scene.call_as(&scene.recipient, &channel, "close", arguments, &[]);
    assert_eq!(closed, Outcome::Done);
    assert_eq!(scene.balance(&scene.recipient.address), 4_000_000);
    assert_eq!(scene.balance(&channel), 0);
}
