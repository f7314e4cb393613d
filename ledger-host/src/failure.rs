//! How a refusal of the host is written: whether internal, `ScError` XDR, one line, and the text of Stellar RPC.

use crate::codec::Writer;
use crate::xdr::encode;
use soroban_env_host::{
    events::HostEvent,
    xdr::{DiagnosticEvent, ScError, ScErrorCode, ScErrorType},
    Error,
};
use std::fmt::Write;

const INTERNAL: ScError = ScError::Context(ScErrorCode::InternalError);

pub fn write_error(w: &mut Writer, error: Error, message: &str) {
    // A contract may use the number of InternalError for its own error.
    let internal = error.is_code(ScErrorCode::InternalError) && !error.is_type(ScErrorType::Contract);
    w.bool(internal);
    w.bytes(&encode(&ScError::try_from(error).unwrap_or(INTERNAL)));
    w.bytes(format!("{error:?}").as_bytes());
    w.bytes(message.as_bytes());
}

/// A failure outside the host proper (a missing entry, a misconfigured ledger), which is a text and no more.
pub fn write_text(w: &mut Writer, text: &str) {
    w.bool(false).bytes(&encode(&INTERNAL)).bytes(text.as_bytes()).bytes(text.as_bytes());
}

/// The text that Stellar RPC answers: its host is built with test utilities and prints the event log itself.
pub fn with_event_log(error: Error, events: &[DiagnosticEvent]) -> String {
    let mut text = format!("HostError: {error:?}\n");
    if events.is_empty() {
        text.push_str("DebugInfo not available\n");
        return text;
    }
    text.push_str("\nEvent log (newest first):\n");
    for (i, e) in events.iter().rev().enumerate() {
        let event = HostEvent { event: e.event.clone(), failed_call: !e.in_successful_contract_call };
        let _ = writeln!(text, "   {i}: {event}");
    }
    text
}
