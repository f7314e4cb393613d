import assert from 'node:assert/strict';
import { carriedBy } from '../../src/protocol/fate/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** Returns the last ledger in which the first authorization of a request can pay. */
export function lastLedgerOf({ paymentPayload }: FacilitatorRequest): number {
  const [first] = carriedBy(String(paymentPayload.payload.transaction));
  assert.ok(first);
  return first.expirationLedger;
}
