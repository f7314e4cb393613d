//! Writes errors of the host: whether the error is internal, `ScError` XDR, one line, and a longer text.

use crate::codec::Writer;
use crate::xdr::encode;
use soroban_env_host::{
    xdr::{ScError, ScErrorCode, ScErrorType},
    Error,
};

const INTERNAL: ScError = ScError::Context(ScErrorCode::InternalError);

pub fn write_error(w: &mut Writer, error: Error, message: &str) {
    // A contract may use the code of InternalError for its own error.
    let internal = error.is_code(ScErrorCode::InternalError) && !error.is_type(ScErrorType::Contract);
    w.bool(internal);
    w.bytes(&encode(&ScError::try_from(error).unwrap_or(INTERNAL)));
    w.bytes(format!("{error:?}").as_bytes());
    w.bytes(message.as_bytes());
}

/// Writes a failure outside the host itself (a missing entry, a misconfigured ledger), which has only a text.
pub fn write_text(w: &mut Writer, text: &str) {
    w.bool(false).bytes(&encode(&INTERNAL)).bytes(text.as_bytes()).bytes(text.as_bytes());
}
