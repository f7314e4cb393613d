//! The host's fee arithmetic, for the fees that the embedder charges itself.

use crate::codec::{BadInput, Decoded, Reader, Writer};
use crate::network::Network;
use soroban_env_host::{
    e2e_invoke::entry_size_for_rent,
    fees::{compute_rent_fee, compute_transaction_resource_fee, LedgerEntryRentChange, TransactionResources},
    xdr::{LedgerEntry, ReadXdr, ScErrorCode, ScErrorType},
    HostError, DEFAULT_XDR_RW_LIMITS,
};

/// seven resources → non-refundable, refundable
pub fn resource_fee(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let resources = TransactionResources {
        instructions: r.u32()?,
        disk_read_entries: r.u32()?,
        write_entries: r.u32()?,
        disk_read_bytes: r.u32()?,
        write_bytes: r.u32()?,
        contract_events_size_bytes: r.u32()?,
        transaction_size_bytes: r.u32()?,
    };
    r.end()?;
    let (fixed, refundable) = compute_transaction_resource_fee(&resources, &network.config.fee_configuration);
    w.i64(fixed).i64(refundable);
    Ok(())
}

/// ledger sequence, list of changes → stroops
pub fn rent_fee(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let sequence = r.u32()?;
    let changes = r.list(|r| {
        Ok(LedgerEntryRentChange {
            is_persistent: r.bool()?,
            is_code_entry: r.bool()?,
            old_size_bytes: r.u32()?,
            new_size_bytes: r.u32()?,
            old_live_until_ledger: r.u32()?,
            new_live_until_ledger: r.u32()?,
        })
    })?;
    r.end()?;
    w.i64(compute_rent_fee(&changes, &network.config.rent_fee_configuration, sequence));
    Ok(())
}

/// `LedgerEntry` → bytes
pub fn entry_size(network: &Network, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
    let entry = r.bytes()?;
    r.end()?;
    let size = size_for_rent(network, entry).map_err(|e| BadInput(format!("not a LedgerEntry: {:?}", e.error)))?;
    w.u32(size);
    Ok(())
}

pub fn size_for_rent(network: &Network, encoded: &[u8]) -> Result<u32, HostError> {
    let entry = LedgerEntry::from_xdr(encoded, DEFAULT_XDR_RW_LIMITS)
        .map_err(|_| HostError::from((ScErrorType::Storage, ScErrorCode::InternalError)))?;
    entry_size_for_rent(&network.size_budget, &entry, encoded.len() as u32)
}
