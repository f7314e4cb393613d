//! Checks whether anyone can sign for a public key. No one can for keys that are not on their curve, or for the few
//! points of Ed25519 that every verifier refuses: an account whose only owner is such a key is lost.

use crate::residues::{Field, Number, ONE, ZERO};

/// The field of Ed25519: 2^255 - 19.
const EDWARDS: Field = Field([
    0xffff_ffff_ffff_ffed,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
    0x7fff_ffff_ffff_ffff,
]);
/// The constant d of Ed25519.
const D: Number = [
    0x75eb_4dca_1359_78a3,
    0x0070_0a4d_4141_d8ab,
    0x8cc7_4079_7779_e898,
    0x5203_6cee_2b6f_fe73,
];
/// The field of P-256.
const P256: Field = Field([
    0xffff_ffff_ffff_ffff,
    0x0000_0000_ffff_ffff,
    0x0000_0000_0000_0000,
    0xffff_ffff_0000_0001,
]);
/// The constant b of P-256.
const B: Number = [
    0x3bce_3c3e_27d2_604b,
    0x651d_06b0_cc53_b0f6,
    0xb3eb_bd55_7698_86bc,
    0x5ac6_35d8_aa3a_93e7,
];

const THREE: Number = [3, 0, 0, 0];

/// Returns whether 32 bytes are a point of Ed25519 outside its small subgroup (RFC 8032, section 5.1.3).
pub fn is_ed25519_key(bytes: &[u8; 32]) -> bool {
    let field = &EDWARDS;
    let mut y = limbs(bytes, 0);
    y[3] &= i64::MAX as u64;
    if !field.holds(&y) {
        return false;
    }
    let square = field.multiply(&y, &y);
    let scaled = field.multiply(&D, &square);
    // x² = u / v, and a quotient is a square exactly if the product is.
    let u = field.subtract(&square, &ONE);
    let v = field.add(&scaled, &ONE);
    let product = field.multiply(&u, &v);
    // A point with x = 0 or y = 0 has order 1, 2 or 4. A point of order 8 doubles to one with y = 0: x² + y² = 0, and
    // then d y⁴ + 2 y² = 1 on the curve.
    let fourth = field.multiply(&scaled, &square);
    let eighth = field.add(&fourth, &field.add(&square, &square)) == ONE;
    product != ZERO && y != ZERO && !eighth && field.is_square(&product)
}

/// Returns whether 65 bytes are an uncompressed point of P-256 (SEC 1, section 2.3.4).
pub fn is_p256_key(bytes: &[u8; 65]) -> bool {
    let field = &P256;
    let mut backwards = *bytes;
    backwards.reverse();
    let (y, x) = (limbs(&backwards, 0), limbs(&backwards, 32));
    if bytes[0] != 4 || !field.holds(&x) || !field.holds(&y) {
        return false;
    }
    // y² = x³ - 3 x + b
    let three = field.subtract(&field.multiply(&x, &x), &THREE);
    let right = field.add(&field.multiply(&three, &x), &B);
    field.multiply(&y, &y) == right
}

/// Reads the 256-bit number that starts at `from`, least significant byte first.
fn limbs(bytes: &[u8], from: usize) -> Number {
    let mut number = ZERO;
    for at in (0..32).rev() {
        let limb = &mut number[at / 8];
        *limb = *limb << 8 | u64::from(bytes[from + at]);
    }
    number
}

#[cfg(test)]
mod tests {
    use p256::{elliptic_curve::sec1::ToEncodedPoint, PublicKey, SecretKey};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        // Compares with what verifiers accept as a key: the host's verifier is ed25519-dalek.
        #[test]
        fn ed25519_agrees_with_the_verifier(bytes: [u8; 32]) {
            let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes);
            prop_assert_eq!(is_ed25519_key(&bytes), key.is_ok_and(|key| !key.is_weak()));
        }

        #[test]
        fn every_pair_of_ed25519_has_a_key(secret: [u8; 32]) {
            let key = ed25519_dalek::SigningKey::from_bytes(&secret).verifying_key();
            prop_assert!(is_ed25519_key(key.as_bytes()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        fn p256_agrees_with_the_verifier(secret: [u8; 32], at in 0usize..65, other: u8) {
            let Ok(secret) = SecretKey::from_slice(&secret) else {
                return Ok(());
            };
            let point = secret.public_key().to_encoded_point(false);
            let mut bytes: [u8; 65] = point.as_bytes().try_into().expect("uncompressed");
            prop_assert!(is_p256_key(&bytes));
            bytes[at] = other;
            prop_assert_eq!(is_p256_key(&bytes), PublicKey::from_sec1_bytes(&bytes).is_ok());
        }
    }

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        core::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
    }

    #[test]
    fn the_keys_of_the_rfc_are_keys() {
        // The keys of RFC 8032, section 7.1, and the base point.
        for key in [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "5866666666666666666666666666666666666666666666666666666666666666",
        ] {
            assert!(is_ed25519_key(&hex(key)), "{key}");
        }
    }

    // The points of small order that libsodium lists, with either sign, and numbers outside the field.
    #[test]
    fn nobody_signs_for_points_of_small_order() {
        for key in [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ] {
            let mut bytes: [u8; 32] = hex(key);
            assert!(!is_ed25519_key(&bytes), "{key}");
            bytes[31] |= 0x80;
            assert!(!is_ed25519_key(&bytes), "{key} with its sign");
        }
    }

    #[test]
    fn half_of_all_numbers_are_not_points() {
        let points = (2..=201u8).filter(|least| {
            let mut bytes = [0; 32];
            bytes[0] = *least;
            is_ed25519_key(&bytes)
        });
        assert!((70..130).contains(&points.count()));
        // y = 2 is not on the curve.
        let mut two = [0; 32];
        two[0] = 2;
        assert!(!is_ed25519_key(&two));
    }

    #[test]
    fn a_passkey_is_a_point_of_its_curve() {
        let generator: [u8; 65] = hex(concat!(
            "04",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        ));
        assert!(is_p256_key(&generator));
        for at in 0..65 {
            let mut other = generator;
            other[at] ^= 1;
            assert!(!is_p256_key(&other), "byte {at}");
        }
        assert!(!is_p256_key(&[0; 65]));
        let mut nothing = [0; 65];
        nothing[0] = 4;
        assert!(!is_p256_key(&nothing));
        assert!(!is_p256_key(&[0xff; 65]));
    }
}
