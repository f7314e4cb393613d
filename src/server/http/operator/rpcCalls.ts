import type { Clock } from '../../clock.ts';

const MINUTE_MS = 60_000;
/** Calls that are remembered, more than a service makes in a minute. */
const MAX_CALLS = 20_000;

/** The calls to the RPC server in the last minute. */
export interface RpcCalls {
  /** Counts a call. @param outcome `ok`, or the code of its failure */
  note(outcome: string): void;
  lastMinute(): { readonly calls: number; readonly failed: number };
}

export function createRpcCalls(clock: Clock): RpcCalls {
  let calls: { readonly at: number; readonly failed: boolean }[] = [];
  const forgetOld = () => {
    const from = clock.elapsed() - MINUTE_MS;
    calls = calls.filter(({ at }) => at >= from).slice(-MAX_CALLS);
  };
  return {
    note(outcome) {
      calls.push({ at: clock.elapsed(), failed: outcome !== 'ok' });
      if (calls.length > 2 * MAX_CALLS) forgetOld();
    },
    lastMinute() {
      forgetOld();
      return { calls: calls.length, failed: calls.filter(({ failed }) => failed).length };
    },
  };
}
