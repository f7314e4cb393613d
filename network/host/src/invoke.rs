//! Invokes in enforcing mode. Calls the host byte for byte as stellar-core does to apply a transaction.

use crate::codec::{Decoded, Reader, Writer};
use crate::embedder::{read_impersonated, write_call_costs, Impersonating};
use crate::failure::write_error;
use crate::footprint::{self, Loaded};
use crate::network::Network;
use crate::xdr::encode;
use soroban_env_host::{
    budget::Budget,
    embedder::Impersonated,
    e2e_invoke::{extract_rent_changes, invoke_host_function, InvokeHostFunctionResult, LedgerEntryChange},
    fees::compute_rent_fee,
    xdr::DiagnosticEvent,
    HostError, LedgerInfo, ModuleCache,
};

struct Request<'a> {
    info: LedgerInfo,
    host_function: &'a [u8],
    resources: &'a [u8],
    restored: Vec<u32>,
    source: &'a [u8],
    auth: Vec<&'a [u8]>,
    impersonated: Impersonated,
    footprint: Vec<Option<Loaded<'a>>>,
    seed: [u8; 32],
    diagnostics: bool,
}

/// ledger, instructions, host function, resources, restored indices, source, auth, impersonated, footprint, seed,
/// diagnostics → cpu, memory, diagnostic events, costs of the calls, flag, then outcome or error
pub fn invoke(network: &Network, cache: &ModuleCache, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let info = network.ledger_info(r)?;
    let budget = network.invocation_budget(r.u32()?)?;
    let mut request = Request {
        info,
        host_function: r.bytes()?,
        resources: r.bytes()?,
        restored: r.list(Reader::u32)?,
        source: r.bytes()?,
        auth: r.list(Reader::bytes)?,
        impersonated: read_impersonated(r)?,
        footprint: footprint::read(r)?,
        seed: r.array()?,
        diagnostics: r.bool()?,
    };
    r.end()?;
    let sequence = request.info.sequence_number;
    let mut events = vec![];
    let impersonating = Impersonating::start(std::mem::take(&mut request.impersonated));
    let result = call_host(network, cache, &budget, request, &mut events);
    drop(impersonating);
    w.u64(budget.get_cpu_insns_consumed().unwrap_or(0)).u64(budget.get_mem_bytes_consumed().unwrap_or(0));
    w.list(events.iter(), |w, e| {
        w.bytes(&encode(e));
    });
    write_call_costs(w);
    // To the ledger, a failed setup and a failed invocation are the same.
    match result.and_then(|out| out.encoded_invoke_result.map(|v| (v, out.ledger_changes, out.encoded_contract_events))) {
        Err(e) => {
            w.bool(false);
            write_error(w, e.error, "");
        }
        Ok((value, changes, contract_events)) => {
            w.bool(true).bytes(&value);
            w.list(contract_events.iter(), |w, e| {
                w.bytes(e);
            });
            w.list(changes.iter(), write_change);
            w.i64(compute_rent_fee(&extract_rent_changes(&changes), &network.config.rent_fee_configuration, sequence));
        }
    }
    Ok(())
}

fn write_change(w: &mut Writer, c: &LedgerEntryChange) {
    w.bytes(&c.encoded_key).bool(c.read_only).optional(c.encoded_new_value.as_deref());
    w.u32(c.old_entry_size_bytes_for_rent).u32(c.new_entry_size_bytes_for_rent);
    w.bool(c.ttl_change.is_some());
    if let Some(t) = &c.ttl_change {
        w.bytes(&t.key_hash).u32(t.old_live_until_ledger).u32(t.new_live_until_ledger);
    }
}

/// Up to protocol 27, the host takes two parallel lists of the existing entries, with encoded TTLs.
#[cfg(feature = "parallel-entry-lists")]
fn call_host(
    _: &Network,
    cache: &ModuleCache,
    budget: &Budget,
    q: Request,
    events: &mut Vec<DiagnosticEvent>,
) -> Result<InvokeHostFunctionResult, HostError> {
    use soroban_env_host::xdr::{Hash, TtlEntry};
    let existing = || q.footprint.iter().flatten();
    let ttls: Vec<Vec<u8>> = existing()
        .map(|l| match &l.ttl {
            Some(t) => encode(&TtlEntry { key_hash: Hash(t.key_hash), live_until_ledger_seq: t.live_until }),
            None => vec![],
        })
        .collect();
    invoke_host_function(
        budget,
        q.diagnostics,
        q.host_function,
        q.resources,
        &q.restored,
        q.source,
        q.auth.into_iter(),
        q.info,
        existing().map(|l| l.entry).collect::<Vec<_>>().into_iter(),
        ttls.iter().map(Vec::as_slice).collect::<Vec<_>>().into_iter(),
        q.seed.as_slice(),
        events,
        None,
        Some(cache.clone()),
    )
}

/// From protocol 28 on, the host takes one item per footprint key, with live-until and size for rent.
#[cfg(not(feature = "parallel-entry-lists"))]
fn call_host(
    network: &Network,
    cache: &ModuleCache,
    budget: &Budget,
    q: Request,
    events: &mut Vec<DiagnosticEvent>,
) -> Result<InvokeHostFunctionResult, HostError> {
    use soroban_env_host::e2e_invoke::TtlLedgerEntryMeta;
    let mut entries = Vec::with_capacity(q.footprint.len());
    for loaded in &q.footprint {
        entries.push(match loaded {
            None => (None, None),
            Some(Loaded { entry, ttl: None }) => (Some(*entry), None),
            Some(Loaded { entry, ttl: Some(ttl) }) => (
                Some(*entry),
                Some(TtlLedgerEntryMeta {
                    live_until_ledger: ttl.live_until,
                    entry_size_for_rent: crate::fees::size_for_rent(network, entry)?,
                }),
            ),
        });
    }
    invoke_host_function(
        budget,
        q.diagnostics,
        q.host_function,
        q.resources,
        &q.restored,
        q.source,
        q.auth.into_iter(),
        q.info,
        entries.into_iter(),
        q.seed.as_slice(),
        events,
        None,
        Some(cache.clone()),
    )
}
