//! What a passkey must sign, and how.

use super::{
    scene::{assert_refused, Scene},
    signing::{as_browsers_write, Passkey},
};

fn pay_with(change: impl FnOnce(&mut Passkey)) -> Result<(), super::scene::Refusal> {
    let mut scene = Scene::new();
    change(&mut scene.owner);
    scene.pay_to(&scene.to, 1, &[&scene.owner])
}

#[test]
fn a_passkey_pays() {
    assert_eq!(pay_with(|_| {}), Ok(()));
    // User presence is required; user verification is up to the client.
    assert_eq!(pay_with(|passkey| passkey.flags = 1), Ok(()));
}

#[test]
fn an_assertion_without_user_presence_is_refused() {
    assert_refused(pay_with(|passkey| passkey.flags = 0b100), &[125]);
}

#[test]
fn another_challenge_is_refused() {
    let refused = pay_with(|passkey| {
        passkey.client_data = |challenge| {
            let other = if challenge.starts_with('A') { "B" } else { "A" };
            as_browsers_write(&std::format!("{other}{}", &challenge[1..]))
        };
    });
    assert_refused(refused, &[122]);
    let longer = |challenge: &str| as_browsers_write(&std::format!("{challenge}A"));
    assert_refused(pay_with(|passkey| passkey.client_data = longer), &[122]);
}

#[test]
fn another_ceremony_is_refused() {
    let refused = pay_with(|passkey| {
        passkey.client_data =
            |challenge| as_browsers_write(challenge).replace("webauthn.get", "webauthn.set");
    });
    assert_refused(refused, &[123]);
}

#[test]
fn client_data_in_another_form_is_refused() {
    assert_refused(
        pay_with(|passkey| passkey.client_data = |_| "{}".into()),
        &[121],
    );
    // A second challenge after the first changes nothing. A challenge in another position is refused.
    let refused = pay_with(|passkey| {
        passkey.client_data = |challenge| {
            let name = r#""challenge":"#;
            as_browsers_write(challenge).replace(name, r#""origin1":"#) + challenge
        };
    });
    assert_refused(refused, &[121]);
}

#[test]
fn sizes_are_bounded_before_anything_is_hashed() {
    let refused = pay_with(|passkey| {
        passkey.client_data = |challenge| as_browsers_write(challenge) + &" ".repeat(1_000);
    });
    assert_refused(refused, &[120]);
    let data = |length: usize| {
        move |passkey: &mut Passkey| {
            let mut data = std::vec![0; length];
            if length > 32 {
                data[32] = 1;
            }
            passkey.authenticator_data = Some(data);
        }
    };
    assert_refused(pay_with(data(36)), &[124]);
    assert_eq!(pay_with(data(37)), Ok(()));
    assert_eq!(pay_with(data(1_024)), Ok(()));
    assert_refused(pay_with(data(1_025)), &[126]);
}

#[test]
fn a_signature_with_a_high_s_is_refused() {
    pay_with(|passkey| passkey.high_s = true).expect_err("s in the upper half");
}

#[test]
fn another_passkey_under_the_same_id_is_refused() {
    let refused = pay_with(|passkey| {
        let id = passkey.id;
        *passkey = Passkey::of(8);
        passkey.id = id;
    });
    refused.expect_err("another key");
}

#[test]
fn a_signature_of_the_wrong_kind_is_refused() {
    use account_interface::{Signature, Signatures};
    use soroban_sdk::{BytesN, IntoVal, Map};
    use test_support::invocation;

    use super::signing::{in_ledger, Sign};

    let scene = Scene::new();
    let arguments = (&scene.wallet, &scene.to, 1i128);
    let root = invocation(
        &scene.token,
        "transfer",
        arguments.into_val(&scene.env),
        &[],
    );
    for signature in [
        Signature::Policy,
        Signature::Ed25519(BytesN::from_array(&scene.env, &[0; 64])),
    ] {
        let mut map = Map::new(&scene.env);
        map.set(scene.owner.key(&scene.env), signature);
        let signature = in_ledger(&scene.env, Signatures(map));
        let entry = scene.entry(root.clone(), |_| signature);
        let arguments = arguments.into_val(&scene.env);
        let paid = scene.invoke(&scene.token, "transfer", arguments, &[entry]);
        assert_refused(paid, &[111]);
    }
}
