import { createHash } from 'node:crypto';
import type { FacilitatorRequest } from '../../protocol/wire/index.ts';
import type { SettleOutcome } from './outcomes.ts';

/** A settlement that was answered `settlement_pending`. */
export interface PendingSettlement {
  /** What becomes of it. */
  readonly outcome: Promise<SettleOutcome>;
  /** What was answered. */
  readonly answer: SettleOutcome;
}

/** Settlements whose outcome was not known in time, until someone has collected it. */
export interface PendingSettlements {
  add(request: FacilitatorRequest, settlement: PendingSettlement): void;
  /**
   * Takes out the settlement that an identical request began. It is given to one caller: two
   * callers with one payment must not both be told that it is theirs.
   */
  collect(request: FacilitatorRequest): PendingSettlement | undefined;
}

function digest({ paymentPayload, paymentRequirements }: FacilitatorRequest): string {
  const identity = JSON.stringify([paymentPayload.payload, paymentRequirements]);
  return createHash('sha256').update(identity).digest('base64');
}

/** Remembers at most `limit` of them; the oldest goes first. */
export function createPendingSettlements(limit = 1_000): PendingSettlements {
  const settlements = new Map<string, PendingSettlement>();
  return {
    add(request, settlement) {
      if (settlements.size >= limit) {
        const [oldest] = settlements.keys();
        if (oldest !== undefined) settlements.delete(oldest);
      }
      settlements.set(digest(request), settlement);
    },
    collect(request) {
      if (settlements.size === 0) return undefined;
      const key = digest(request);
      const settlement = settlements.get(key);
      settlements.delete(key);
      return settlement;
    },
  };
}
