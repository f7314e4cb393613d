import type { FateReader } from '../../../protocol/fate/index.ts';
import type { Clock } from '../../clock.ts';
import { RpcError, type StellarNetwork } from '../../network/index.ts';

/** What one question may cost the RPC server. */
export interface ReadBudget {
  /** Searches over more than one ledger. */
  readonly searches: number;
  /** Transactions. */
  readonly transactions: number;
}

/** How often an answer from before an earlier answer is asked for again, and the pause before. */
const READS = 3;
const CATCH_UP_MS = 500;

/**
 * Returns a reader of the ledger that stops at its budget. What exceeds it counts as not in the server's history, so that it
 * proves nothing. An answer from before an earlier answer is not used, because it may lack the payment.
 */
export function ledgerReader(
  network: Pick<StellarNetwork, 'readEntries' | 'searchMovements' | 'lookUp' | 'isBehind'>,
  clock: Clock,
  budget: ReadBudget,
): FateReader {
  let { searches, transactions } = budget;
  return {
    async entries(keys) {
      for (let read = 1; ; read++) {
        const { latestLedger, found } = await network.readEntries(keys);
        if (!network.isBehind(latestLedger)) {
          const entries = keys.flatMap((key) => {
            const entry = found.get(key);
            if (entry === undefined) return [];
            return [{ key, data: entry.xdr, lastModifiedLedger: entry.lastModifiedLedgerSeq }];
          });
          return { latestLedger, entries };
        }
        if (read >= READS) {
          throw new RpcError('bad_answer', 'getLedgerEntries', 'the server lags behind the ledger');
        }
        await clock.sleep(CATCH_UP_MS);
      }
    },
    async movements(movement, range) {
      if (range.end > range.start && searches-- <= 0) return undefined;
      return network.searchMovements(movement, range);
    },
    async transaction(hash) {
      if (transactions-- <= 0) return undefined;
      const found = await network.lookUp(hash);
      if (found.status === 'NOT_FOUND' || found.envelope === undefined) return undefined;
      const { ledger, envelope, movements } = found;
      return { hash, ledger, envelope, movements, successful: found.status === 'SUCCESS' };
    },
  };
}
