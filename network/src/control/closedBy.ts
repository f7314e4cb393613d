import type { ClosedLedger } from '../history/index.ts';
import type { ClosedByControl } from './controlCalls.ts';

export function closedBy({ sequence, hash, closeTime }: ClosedLedger): ClosedByControl {
  return { ledger: sequence, hash, closeTime };
}
