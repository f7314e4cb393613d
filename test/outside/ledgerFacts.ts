import { systemClock } from '../../src/server/index.ts';
import { connectNetwork } from '../../src/server/network/index.ts';
import { TransferFollower } from '../helpers/transferFollower.ts';
import type { LedgerFacts } from '../helpers/truth/judge.ts';
import type { Weather } from './weather.ts';

/** What is needed to look a payment up on the ledger. */
export interface Presented {
  readonly payment: string;
  readonly amount: bigint;
  readonly weather: Weather;
}

/**
 * Reads from the ledger itself, not through the proxy, what moved: the transfers, each confirmed by its
 * transaction.
 * @throws Error where the ledger's events and its transactions do not agree
 */
export async function readLedger(
  rpcUrl: string,
  firstLedger: number,
  payments: readonly Presented[],
): Promise<LedgerFacts[]> {
  const follower = new TransferFollower(rpcUrl, firstLedger);
  await follower.read();
  const network = connectNetwork({ url: rpcUrl, certificateAuthority: null }, systemClock);
  try {
    const facts: LedgerFacts[] = [];
    for (const { payment, amount, weather } of payments) {
      const moved = [];
      for (const hash of follower.transfers.get(amount) ?? []) {
        const ledger = follower.ledgers.get(hash) ?? 0;
        const found = await network.lookUp(hash as Parameters<typeof network.lookUp>[0]);
        if (found.status !== 'SUCCESS' || found.ledger !== ledger) {
          throw new Error(`${hash} moved money in ledger ${ledger}, and is ${found.status}`);
        }
        moved.push({ hash, ledger, leftAt: weather.leftAt.get(hash) });
      }
      facts.push({ payment, moved });
    }
    return facts;
  } finally {
    network.close();
  }
}
