//! XDR within the host's own limits for depth and length.

use crate::codec::{BadInput, Decoded};
use soroban_env_host::{
    xdr::{ReadXdr, WriteXdr},
    DEFAULT_XDR_RW_LIMITS,
};

pub fn decode<T: ReadXdr>(bytes: &[u8]) -> Decoded<T> {
    T::from_xdr(bytes, DEFAULT_XDR_RW_LIMITS).map_err(|e| {
        let path = core::any::type_name::<T>();
        BadInput(format!("not a {}: {e}", path.rsplit("::").next().unwrap_or(path)))
    })
}

/// Encodes a value that the host created or that was decoded before, and that is therefore within the limits.
pub fn encode<T: WriteXdr>(value: &T) -> Vec<u8> {
    value.to_xdr(DEFAULT_XDR_RW_LIMITS).expect("a value of the host encodes")
}
