//! The committed and deployed module, in the host's own virtual machine.

use std::println;

use soroban_sdk::{testutils::Address as _, Address};

use super::sale::{Outcome, Sale, FUNDS};
use crate::Error;

const WASM: &[u8] = include_bytes!("../../../wasm/upto.wasm");

#[test]
fn the_module_settles_once_and_refuses_like_its_source() {
    let sale = Sale::settled_by(WASM);
    let terms = sale.terms(100, 1);
    let entry = sale.authorize(&terms);
    let hook = Some(Address::generate(&sale.env));
    assert_eq!(
        sale.present_hooked(&terms, 37, &hook, &[]),
        Outcome::Refused(Error::HookNotSupported)
    );
    assert_eq!(
        sale.present(&terms, 101, &[]),
        Outcome::Refused(Error::ActualAboveCeiling)
    );
    assert_eq!(sale.present(&terms, 37, &[]), Outcome::Failed);
    assert_eq!(
        sale.present(&terms, 37, std::slice::from_ref(&entry)),
        Outcome::Settled
    );
    println!("{:?}", sale.env.cost_estimate().resources());
    assert_eq!(sale.token_events(), ["approve 100", "transfer 37"]);
    assert_eq!(
        sale.present(&terms, 37, &[entry]),
        Outcome::Refused(Error::NonceUsed)
    );
    assert_eq!(sale.settled(&terms), Some(37));
    assert_eq!(sale.balances(), (FUNDS - 37, 37, 0));
}
