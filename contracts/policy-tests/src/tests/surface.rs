//! The wire format that clients see.

use account_interface::SignerKey;
use soroban_sdk::{testutils::Address as _, xdr::ScVal, Address, IntoVal};
use test_support::{invocation, Authorization, Credentials};

use super::{
    scene::Scene,
    signing::{in_ledger, signatures, Sign},
};

fn symbols(value: &ScVal) -> std::vec::Vec<std::string::String> {
    let ScVal::Vec(Some(parts)) = value else {
        panic!("{value:?} is no vector")
    };
    let names = parts.iter().map(|part| match part {
        ScVal::Symbol(name) => name.to_utf8_string_lossy(),
        other => other.name().into(),
    });
    names.collect()
}

#[test]
fn signatures_are_a_map_in_a_vector_of_one() {
    let scene = Scene::new();
    let arguments = (&scene.wallet, &scene.to, 1i128).into_val(&scene.env);
    let authorization = Authorization {
        credentials: Credentials::Address,
        address: scene.wallet.clone(),
        nonce: 1,
        expiration: 2,
        root: invocation(&scene.token, "transfer", arguments, &[]),
    };
    let both: [&dyn Sign; 2] = [&scene.agent, &scene.owner];
    let ScVal::Vec(Some(outer)) = signatures(&scene.env, &authorization, &both) else {
        panic!("no vector")
    };
    let [ScVal::Map(Some(map))] = outer.as_slice() else {
        panic!("no map")
    };
    let shapes: std::vec::Vec<_> = map
        .iter()
        .map(|entry| (symbols(&entry.key), symbols(&entry.val)))
        .collect();
    let shape = |parts: [&str; 2]| parts.map(std::string::String::from).to_vec();
    assert_eq!(
        shapes,
        [
            (shape(["Ed25519", "Bytes"]), shape(["Ed25519", "Bytes"])),
            (shape(["Secp256r1", "Bytes"]), shape(["Secp256r1", "Map"])),
        ]
    );
}

#[test]
fn a_policys_key_is_its_kind_and_address() {
    let scene = Scene::new();
    let policy = Address::generate(&scene.env);
    let key = in_ledger(&scene.env, SignerKey::Policy(policy));
    assert_eq!(symbols(&key), ["Policy", "Address"]);
}
