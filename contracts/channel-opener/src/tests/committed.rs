//! The committed and deployed modules, in the host's own virtual machine.

use std::println;

use super::market::{Market, FUNDS};

const WASM: &[u8] = include_bytes!("../../../wasm/channel-opener.wasm");

#[test]
fn the_module_opens_and_claims_like_its_source() {
    let market = Market::opened_by(WASM);
    let terms = market.terms(1);
    let address = market.client().address(&terms);
    let entry = market.payment(&address, 1_000);
    assert!(!market.open_with(&terms, 1_001, std::slice::from_ref(&entry)));
    assert!(market.open_with(&terms, 1_000, &[entry]));
    println!("open: {:?}", market.env.cost_estimate().resources());
    assert_eq!(market.open(&terms), address);
    let second = market.open(&market.terms(2));
    market.mint(&second, 500);
    let claims = [
        market.claim_of(&address, 400),
        market.claim_signed_by(&test_support::Key::of(9), &second, 100),
        market.claim_of(&second, 100),
    ];
    assert_eq!(market.claim(&claims), 2);
    println!("claim: {:?}", market.env.cost_estimate().resources());
    assert_eq!(market.earned(), 500);
    assert_eq!(market.balance(&terms.from), FUNDS - 1_000);
    assert!(market
        .client()
        .try_open(&market.terms(3), &-1)
        .is_err_and(|error| error == Ok(crate::Error::NegativeDeposit)));
    assert_eq!(market.claim(&[]), 0);
}
