//! Little-endian numbers in bytes, as the virtual machine reads them. Inlined, because each payment reads many.

#[inline(always)]
pub fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("within the bytes")
}

#[inline(always)]
pub fn put<const N: usize>(bytes: &mut [u8], at: usize, number: [u8; N]) {
    *bytes[at..].first_chunk_mut().expect("within the bytes") = number;
}
