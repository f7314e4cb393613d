const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The length of 32 bytes in base64url without padding.
pub const ENCODED: usize = 43;

/// Encodes 32 bytes in base64url without padding (RFC 4648, section 5), as WebAuthn encodes a challenge.
pub fn encode(bytes: &[u8; 32]) -> [u8; ENCODED] {
    let mut encoded = [0; ENCODED];
    for (index, letter) in encoded.iter_mut().enumerate() {
        let bit = index * 6;
        let byte = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0));
        let window = (byte(bit / 8) << 8) | byte(bit / 8 + 1);
        let digit = (window >> (10 - bit % 8)) & 0x3f;
        *letter = ALPHABET[usize::from(digit)];
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn matches_the_rfcs_examples() {
        assert_eq!(
            &encode(&[0; 32]),
            b"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        );
        assert_eq!(
            &encode(&[0xff; 32]),
            b"__________________________________________8"
        );
        let counted: [u8; 32] = core::array::from_fn(|index| index as u8);
        assert_eq!(
            &encode(&counted),
            b"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
        );
    }
}
