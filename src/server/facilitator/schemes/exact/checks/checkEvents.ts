import type * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, isAccountAddress } from '../../../../../protocol/index.ts';
import {
  type ContractEvent,
  isTransferEvent,
  type PlainTransferEvent,
  readContractEvent,
  readTransferEvent,
  type TransferCall,
  type TransferEvent,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';

/**
 * Whether an event only reports what the payer's smart account or its spending policy did while it
 * authorized the payment. Such an event does not come from the asset and is not a transfer.
 */
function isOfSmartAccount(event: ContractEvent, call: TransferCall): boolean {
  return (
    !isAccountAddress(call.from) &&
    event.contract !== undefined &&
    event.contract !== call.asset &&
    !isTransferEvent(event)
  );
}

function checkTransferEvent(event: ContractEvent, asset: ContractAddress): Checked<undefined> {
  if (!isTransferEvent(event)) return rejected('event_not_transfer');
  if (event.contract === undefined) return rejected('event_missing_contract');
  if (event.contract !== asset) return rejected('event_wrong_asset', event.contract);
  return accepted(undefined);
}

/** Checks that the simulation's only event is the transfer. */
export function checkEvents(
  diagnostics: readonly xdr.DiagnosticEvent[],
  call: TransferCall,
): Checked<undefined> {
  const transfers: ContractEvent[] = [];
  for (const diagnostic of diagnostics) {
    const event = readContractEvent(diagnostic);
    if (event === undefined || isOfSmartAccount(event, call)) continue;
    const checked = checkTransferEvent(event, call.asset);
    if (!checked.ok) return checked;
    transfers.push(event);
  }

  const [first, second] = transfers;
  if (first === undefined) return rejected('no_transfer_events');
  if (second !== undefined) return rejected('multiple_transfers', `${transfers.length}`);
  const transfer = readTransferEvent(first);
  if (transfer === undefined) return rejected('event_malformed');
  return checkParties(transfer, call);
}

/** Performs the same check for a simulation whose only event is a transfer in its usual form. */
export function checkOnlyTransfer(
  event: PlainTransferEvent,
  call: TransferCall,
): Checked<undefined> {
  if (event.contract !== call.asset) return rejected('event_wrong_asset', event.contract);
  return checkParties(event, call);
}

function checkParties(transfer: TransferEvent, call: TransferCall): Checked<undefined> {
  if (transfer.from !== call.from) return rejected('event_wrong_from');
  if (transfer.to !== call.to) return rejected('event_wrong_to');
  if (transfer.amount !== call.amount) return rejected('event_wrong_amount', `${transfer.amount}`);
  return accepted(undefined);
}
