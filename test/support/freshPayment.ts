import { randomBytes } from 'node:crypto';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { LocalNetwork } from './localStack.ts';
import type { TestKey } from './payer.ts';
import { type EntryParts, type PaymentParts, paymentRequest } from './payment.ts';

/** A payment between accounts of a network, as of its latest ledger. */
export interface FreshParts extends Omit<PaymentParts, 'entries' | 'from'> {
  readonly entry?: EntryParts;
  readonly entries?: (right: EntryParts) => readonly EntryParts[];
}

export function freshNonce(): bigint {
  return randomBytes(8).readBigInt64BE();
}

/** Builds a payment that settles, except for the faults in `parts`. */
export async function freshPayment(
  local: LocalNetwork,
  payer: TestKey,
  payTo: TestKey,
  parts: FreshParts = {},
): Promise<FacilitatorRequest> {
  const right: EntryParts = {
    by: payer.address,
    signer: payer,
    nonce: freshNonce(),
    expirationLedger: (await local.network.getLatestLedger()) + 50,
    ...parts.entry,
  };
  const { entry: _, entries, ...rest } = parts;
  return paymentRequest({
    to: toScAddress(payTo.address),
    fee: 400_000,
    ...rest,
    from: payer.address,
    entries: entries?.(right) ?? [right],
    requirements: { payTo: payTo.address, ...rest.requirements },
  });
}
