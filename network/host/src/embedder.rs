//! Impersonation and the costs of calls, which `patches/embedder.patch` adds to the host.

use crate::codec::{BadInput, Decoded, Reader, Writer};
use crate::xdr::decode;
use soroban_env_host::embedder::{impersonate, take_call_costs, Impersonated};

const NOBODY: u32 = 0;
const LISTED: u32 = 1;
const EVERYBODY: u32 = 2;

/// kind, addresses (`ScAddress`)
pub fn read_impersonated(r: &mut Reader) -> Decoded<Impersonated> {
    let (kind, addresses) = (r.u32()?, r.list(|r| decode(r.bytes()?))?);
    match kind {
        NOBODY => Ok(Impersonated::Nobody),
        LISTED => Ok(Impersonated::Listed(addresses)),
        EVERYBODY => Ok(Impersonated::Everybody),
        n => Err(BadInput(format!("no kind of impersonation {n}"))),
    }
}

/// Impersonation lasts as long as this value lives.
pub struct Impersonating(());

impl Impersonating {
    pub fn start(who: Impersonated) -> Self {
        // Discards what a refused call may have left.
        take_call_costs();
        impersonate(who);
        Self(())
    }
}

impl Drop for Impersonating {
    fn drop(&mut self) {
        impersonate(Impersonated::Nobody);
    }
}

/// cpu and memory of each call that has an `fn_call` event, in the order of these events
pub fn write_call_costs(w: &mut Writer) {
    w.list(take_call_costs().iter(), |w, cost| {
        w.u64(cost.cpu_insns).u64(cost.mem_bytes);
    });
}
