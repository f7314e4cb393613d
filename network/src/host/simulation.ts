import { type ReplyReader, type RequestWriter, readBytes } from './codec.ts';
import { readHostError } from './hostInstance.ts';
import { readSpent, writeImpersonated, writeLedgerPoint } from './invocation.ts';
import type {
  FootprintOpCost,
  SimulateFootprintOutcome,
  SimulateInvokeOutcome,
  SimulateInvokeRequest,
  SimulationAuth,
} from './types.ts';

const RECORD = 0;
const RECORD_ALLOW_NON_ROOT = 1;
const ENFORCE = 2;

function writeAuth(w: RequestWriter, auth: SimulationAuth): void {
  if (auth.mode === 'enforce') {
    w.u32(ENFORCE).bool(false);
    w.list(auth.entries, (entry) => w.bytes(entry));
  } else {
    w.u32(auth.allowNonRoot ? RECORD_ALLOW_NON_ROOT : RECORD).bool(auth.addressV2);
    w.list([], () => undefined);
  }
}

/** Counterpart of `network/host/src/simulate.rs`. */
export function writeSimulateInvokeRequest(w: RequestWriter, q: SimulateInvokeRequest): void {
  writeLedgerPoint(w, q.ledger);
  w.bytes(q.hostFunction).bytes(q.sourceAccount);
  writeAuth(w, q.auth);
  writeImpersonated(w, q.impersonated ?? 'nobody');
  w.fixed(q.prngSeed, 32).u32(q.instructionLeeway).bool(q.diagnostics);
}

function readCost(reply: ReplyReader): FootprintOpCost {
  return { transactionData: reply.bytes(), minResourceFee: reply.i64() };
}

export function readSimulateInvokeOutcome(reply: ReplyReader): SimulateInvokeOutcome {
  const spent = readSpent(reply);
  if (!reply.bool()) return { ok: false, ...spent, error: readHostError(reply) };
  return {
    ok: true,
    ...spent,
    returnValue: reply.bytes(),
    auth: reply.list(readBytes),
    contractEvents: reply.list(readBytes),
    ...readCost(reply),
    stateChanges: reply.list((r) => ({
      key: r.bytes(),
      before: r.optional(),
      after: r.optional(),
    })),
  };
}

export function readFootprintOutcome(reply: ReplyReader): SimulateFootprintOutcome {
  if (!reply.bool()) {
    return { ok: false, error: readHostError(reply) };
  }
  return { ok: true, ...readCost(reply), restorePreamble: reply.bool() ? readCost(reply) : null };
}
