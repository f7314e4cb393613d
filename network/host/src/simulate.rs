//! Simulations, with Stellar RPC's adjustments and responses.

use crate::codec::{BadInput, Decoded, Reader, Writer};
use crate::embedder::{read_impersonated, write_call_costs, Impersonating};
use crate::entries::Entries;
use crate::event_log::with_event_log;
use crate::failure::{write_error, write_text};
use crate::network::Network;
use crate::xdr::{decode, encode};
use soroban_env_host::{
    e2e_invoke::RecordingInvocationAuthMode,
    xdr::{AccountId, HostFunction, LedgerKey, SorobanTransactionData, WriteXdr},
};
use soroban_simulation::{
    simulation::{
        simulate_extend_ttl_op, simulate_invoke_host_function_op, simulate_restore_op,
        InvokeHostFunctionSimulationResult, SimulationAdjustmentConfig,
    },
    AutoRestoringSnapshotSource,
};
use std::rc::Rc;

const RECORD: u32 = 0;
const RECORD_ALLOW_NON_ROOT: u32 = 1;
const ENFORCE: u32 = 2;

fn write_xdr_list<T: WriteXdr>(w: &mut Writer, items: &[T]) {
    w.list(items.iter(), |w, x| {
        w.bytes(&encode(x));
    });
}

/// Formats errors of the simulation library as Stellar RPC does.
fn text(e: impl core::fmt::Debug) -> String {
    format!("{e:?}")
}

fn read_failure(entries: &Entries) -> Decoded<()> {
    entries.failure().map_or(Ok(()), |text| Err(BadInput(text)))
}

/// ledger, host function, source, auth mode, address-bound credentials, auth entries, impersonated, seed, leeway,
/// diagnostics → cpu, memory, diagnostic events, costs of the calls, flag, then outcome or error
pub fn invoke(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let info = network.ledger_info(r)?;
    let host_function: HostFunction = decode(r.bytes()?)?;
    let source: AccountId = decode(r.bytes()?)?;
    let (mode, address_v2) = (r.u32()?, r.bool()?);
    let auth_entries = r.list(|r| decode(r.bytes()?))?;
    let impersonated = read_impersonated(r)?;
    let auth = match mode {
        RECORD => RecordingInvocationAuthMode::recording(true, address_v2),
        RECORD_ALLOW_NON_ROOT => RecordingInvocationAuthMode::recording(false, address_v2),
        ENFORCE => RecordingInvocationAuthMode::Enforcing(auth_entries),
        n => return Err(BadInput(format!("no authorization mode {n}"))),
    };
    let seed = r.array()?;
    let leeway = r.u32()?;
    let diagnostics = r.bool()?;
    r.end()?;
    let mut adjustment = SimulationAdjustmentConfig::default_adjustment();
    adjustment.instructions.additive_factor = adjustment.instructions.additive_factor.max(leeway);
    let entries = Rc::new(Entries::default());
    let impersonating = Impersonating::start(impersonated);
    let result = simulate_invoke_host_function_op(
        entries.clone(),
        &network.config,
        &adjustment,
        &info,
        host_function,
        auth,
        &source,
        seed,
        diagnostics,
    );
    drop(impersonating);
    read_failure(&entries)?;
    match result {
        Ok(result) => write_invocation(w, &result),
        Err(e) => {
            w.u64(0).u64(0).u32(0).u32(0).bool(false);
            write_text(w, &text(e));
        }
    }
    Ok(())
}

fn write_invocation(w: &mut Writer, result: &InvokeHostFunctionSimulationResult) {
    w.u64(result.simulated_instructions.into()).u64(result.simulated_memory.into());
    write_xdr_list(w, &result.diagnostic_events);
    write_call_costs(w);
    match (&result.invoke_result, &result.transaction_data) {
        (Ok(value), Some(data)) => {
            w.bool(true).bytes(&encode(value));
            write_xdr_list(w, &result.auth);
            write_xdr_list(w, &result.contract_events);
            write_cost(w, data);
            let changes: Vec<_> = result
                .modified_entries
                .iter()
                .filter_map(|d| {
                    // An entry created and deleted within the invocation is not a change.
                    let key = d.state_after.as_ref().or(d.state_before.as_ref())?.to_key();
                    Some((key, d.state_before.as_ref().map(encode), d.state_after.as_ref().map(encode)))
                })
                .collect();
            w.list(changes.iter(), |w, (key, before, after)| {
                w.bytes(&encode(key)).optional(before.as_deref()).optional(after.as_deref());
            });
        }
        (Ok(_), None) => {
            w.bool(false);
            write_text(w, "the simulation succeeded without transaction data");
        }
        (Err(e), _) => {
            w.bool(false);
            write_error(w, e.error, &with_event_log(e.error, &result.diagnostic_events));
        }
    }
}

fn write_cost(w: &mut Writer, data: &SorobanTransactionData) {
    w.bytes(&encode(data)).i64(data.resource_fee);
}

fn write_footprint_op(
    w: &mut Writer,
    result: Result<(SorobanTransactionData, Option<SorobanTransactionData>), String>,
) {
    match result {
        Ok((data, preamble)) => {
            write_cost(w.bool(true), &data);
            w.bool(preamble.is_some());
            if let Some(preamble) = preamble {
                write_cost(w, &preamble);
            }
        }
        Err(e) => write_text(w.bool(false), &e),
    }
}

/// ledger, keys, extend-to → flag, cost and restore preamble, or error
pub fn extend_ttl(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let info = network.ledger_info(r)?;
    let keys = r.list(|r| decode::<LedgerKey>(r.bytes()?))?;
    let extend_to = r.u32()?;
    r.end()?;
    let adjustment = SimulationAdjustmentConfig::default_adjustment();
    let entries = Rc::new(Entries::default());
    let simulate = || {
        let restoring = AutoRestoringSnapshotSource::new(entries.clone(), &info).map_err(text)?;
        let extended = simulate_extend_ttl_op(&restoring, &network.config, &adjustment, &info, &keys, extend_to)
            .map_err(text)?;
        let restored = restoring.simulate_restore_keys_op(&network.config, &adjustment, &info).map_err(text)?;
        Ok((extended.transaction_data, restored.map(|r| r.transaction_data)))
    };
    let result = simulate();
    read_failure(&entries)?;
    write_footprint_op(w, result);
    Ok(())
}

/// ledger, keys → flag, cost without preamble, or error
pub fn restore(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let info = network.ledger_info(r)?;
    let keys = r.list(|r| decode::<LedgerKey>(r.bytes()?))?;
    r.end()?;
    let adjustment = SimulationAdjustmentConfig::default_adjustment();
    let entries = Entries::default();
    let result = simulate_restore_op(&entries, &network.config, &adjustment, &info, &keys);
    read_failure(&entries)?;
    write_footprint_op(w, result.map(|r| (r.transaction_data, None)).map_err(text));
    Ok(())
}
