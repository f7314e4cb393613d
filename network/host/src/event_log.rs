//! The event log as Stellar RPC prints it below an error. Its host is built with test utilities and captures the events
//! where the last error occurred, while the surrounding frames were still open. This host returns them at the end,
//! after everything was rolled back, so what had been recorded and what had failed by then is derived from the events.
//! The log ends after 32 KiB, because only the host's memory limits what contracts write into events.

use soroban_env_host::{
    events::HostEvent,
    xdr::{ContractEventBody, ContractEventType, ContractId, DiagnosticEvent, Hash, ScVal},
    Error,
};
use std::fmt::{self, Write};

const MOST_BYTES: usize = 32 << 10;

pub fn with_event_log(error: Error, events: &[DiagnosticEvent]) -> String {
    let mut text = format!("HostError: {error:?}\n");
    let Some(last) = events.iter().rposition(|e| matches!(kind(e), Kind::Error)) else {
        text.push_str("DebugInfo not available\n");
        return text;
    };
    let events = &events[..=last];
    text.push_str("\nEvent log (newest first):\n");
    let failed = failed_by_then(events);
    let mut log = Bounded { text, left: MOST_BYTES };
    for (i, (e, failed_call)) in events.iter().zip(failed).rev().enumerate() {
        if writeln!(log, "   {i}: {}", HostEvent { event: e.event.clone(), failed_call }).is_err() {
            let rest = events.len() - i;
            let _ = write!(log.text, "…\n   {rest} more that do not fit into {MOST_BYTES} bytes\n");
            break;
        }
    }
    log.text
}

/// A string writer that fails when text does not fit, so that nothing formats the rest.
struct Bounded {
    text: String,
    left: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let mut end = part.len().min(self.left);
        while !part.is_char_boundary(end) {
            end -= 1;
        }
        self.text.push_str(&part[..end]);
        self.left -= end;
        if end < part.len() {
            self.left = 0;
            return Err(fmt::Error);
        }
        Ok(())
    }
}

enum Kind {
    Call(ContractId),
    Return,
    Error,
    Other,
}

fn kind(e: &DiagnosticEvent) -> Kind {
    let ContractEventBody::V0(body) = &e.event.body;
    let (ContractEventType::Diagnostic, Some(ScVal::Symbol(name))) = (e.event.type_, body.topics.first()) else {
        return Kind::Other;
    };
    match (name.0.as_slice(), body.topics.get(1)) {
        (b"fn_call", Some(ScVal::Bytes(id))) => match id.0.as_slice().try_into() {
            Ok(id) => Kind::Call(ContractId(Hash(id))),
            Err(_) => Kind::Other,
        },
        (b"fn_return", _) => Kind::Return,
        (b"error", _) => Kind::Error,
        _ => Kind::Other,
    }
}

/// A frame opens after the call that its caller records. It closes with a return, or without one if it failed, which
/// shows as soon as an outer frame records an event. What a failed frame recorded has failed.
fn failed_by_then(events: &[DiagnosticEvent]) -> Vec<bool> {
    let mut failed = vec![false; events.len()];
    let mut open: Vec<(ContractId, usize)> = vec![];
    for (i, e) in events.iter().enumerate() {
        let kept = match &e.event.contract_id {
            None => Some(0),
            Some(id) => open.iter().rposition(|(frame, _)| frame == id).map(|at| at + 1),
        };
        if let Some((_, start)) = kept.and_then(|kept| open.get(kept)) {
            failed[*start..i].fill(true);
        }
        open.truncate(kept.unwrap_or(open.len()));
        match kind(e) {
            Kind::Call(id) => open.push((id, i + 1)),
            Kind::Return if kept.is_some() => drop(open.pop()),
            _ => (),
        }
    }
    failed
}
