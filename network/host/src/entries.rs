//! Ledger entries for simulations, read through the embedder.

use crate::xdr::{decode, encode};
use soroban_env_host::{
    storage::{EntryWithLiveUntil, SnapshotSource},
    xdr::{LedgerEntry, LedgerKey, ScErrorCode, ScErrorType},
    HostError,
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

#[link(wasm_import_module = "env")]
extern "C" {
    /// `LedgerKey` XDR → a buffer from `lh_alloc`, packed as (length << 32 | pointer), which this module then owns: u32
    /// whether there is a TTL, u32 live-until, `LedgerEntry` XDR. 0: no such entry. All ones: reading failed.
    fn lh_get_entry(key: *const u8, len: usize) -> u64;
}

/// Requests every key once, so that one simulation sees one state.
#[derive(Default)]
pub struct Entries {
    known: RefCell<BTreeMap<Rc<LedgerKey>, Option<EntryWithLiveUntil>>>,
    failure: RefCell<Option<String>>,
}

impl Entries {
    /// Returns why reading failed, if it did. The result of the simulation is void then.
    pub fn failure(&self) -> Option<String> {
        self.failure.borrow_mut().take()
    }
}

impl SnapshotSource for Entries {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        if let Some(found) = self.known.borrow().get(key) {
            return Ok(found.clone());
        }
        let found = ask(key).map_err(|text| {
            self.failure.borrow_mut().get_or_insert(text);
            HostError::from((ScErrorType::Storage, ScErrorCode::InternalError))
        })?;
        self.known.borrow_mut().insert(key.clone(), found.clone());
        Ok(found)
    }
}

fn ask(key: &LedgerKey) -> Result<Option<EntryWithLiveUntil>, String> {
    let key = encode(key);
    let packed = unsafe { lh_get_entry(key.as_ptr(), key.len()) };
    if packed == 0 {
        return Ok(None);
    }
    if packed == u64::MAX {
        return Err("the reader of ledger entries failed".into());
    }
    let answer = unsafe { crate::unpack(packed) };
    let (Some(has_ttl), Some(live_until), Some(entry)) = (answer.get(..4), answer.get(4..8), answer.get(8..)) else {
        return Err("short answer from the reader of ledger entries".into());
    };
    let live_until = live_until.try_into().map(u32::from_le_bytes).map_err(|_| "unreachable: four bytes")?;
    let entry: LedgerEntry = decode(entry).map_err(|e| e.0)?;
    Ok(Some((Rc::new(entry), (has_ttl != [0; 4]).then_some(live_until))))
}
