import type * as xdr from '@stellar/stellar-sdk/xdr';
import { isAccountAddress } from '../../../../../protocol/index.ts';
import {
  type ContractEvent,
  isTransferEvent,
  readContractEvent,
  readScAddress,
  readTransferEvent,
  type UptoTerms,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';

/** Whether an event is the token's approval for the contract to draw up to the ceiling. */
function isTheApprove({ contract, topics }: ContractEvent, terms: UptoTerms): boolean {
  const [name, from, spender] = topics;
  return (
    contract === terms.token &&
    name?.type === 'scvSymbol' &&
    name.sym.toString() === 'approve' &&
    from?.type === 'scvAddress' &&
    readScAddress(from.address) === terms.from &&
    spender?.type === 'scvAddress' &&
    readScAddress(spender.address) === terms.contract
  );
}

/** Whether an event is a report of a smart account or its policies, which may not move anything. */
function isOfSmartAccount(event: ContractEvent, terms: UptoTerms): boolean {
  return (
    !isAccountAddress(terms.from) &&
    event.contract !== undefined &&
    event.contract !== terms.token &&
    !isTransferEvent(event)
  );
}

/**
 * Checks that the simulation approves and transfers, once, exactly `amount` from payer to recipient; with an amount of zero it
 * transfers nothing. Events of a reverted call do not count: reporting the spent amount to a policy may fail, which changes
 * nothing.
 */
export function checkUptoEvents(
  diagnostics: readonly xdr.DiagnosticEvent[],
  terms: UptoTerms,
  amount: bigint,
): Checked<undefined> {
  const transfers: ContractEvent[] = [];
  for (const diagnostic of diagnostics) {
    const event = diagnostic.inSuccessfulContractCall ? readContractEvent(diagnostic) : undefined;
    if (event === undefined || isTheApprove(event, terms) || isOfSmartAccount(event, terms)) {
      continue;
    }
    if (!isTransferEvent(event) || event.contract !== terms.token) {
      return rejected('upto_unexpected_event', event.contract);
    }
    transfers.push(event);
  }

  const [first, second] = transfers;
  if (amount === 0n) {
    return first === undefined ? accepted(undefined) : rejected('upto_wrong_transfer');
  }
  if (first === undefined) return rejected('upto_no_transfer_event');
  if (second !== undefined) return rejected('upto_wrong_transfer', `${transfers.length} transfers`);
  const moved = readTransferEvent(first);
  if (moved?.from !== terms.from || moved.to !== terms.to || moved.amount !== amount) {
    return rejected('upto_wrong_transfer', `${moved?.amount} moved, ${amount} asked`);
  }
  return accepted(undefined);
}
