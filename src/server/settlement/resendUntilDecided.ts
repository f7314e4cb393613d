import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import type { JournaledTransaction } from './journal/settlementRecord.ts';
import type { Signer } from './signer.ts';
import {
  type Fate,
  learnFate,
  lookUntilDecided,
  NO_WITNESS,
  type Witness,
} from './transactionFate.ts';

/** How often a transaction that is in no ledger is sent again. */
const AGAIN_MS = 5_000;

/**
 * Finishes a transaction of an earlier run. It may never have been sent, or have been included long ago:
 * it is looked up, and sent again unchanged, with the same hash, until the ledger has decided.
 * @param channel signer of its channel; without it (its key was replaced), `dropped` is based only on
 * the server's latest ledger
 * @returns `undefined` if the service stops first
 */
export async function resendUntilDecided(
  transaction: JournaledTransaction,
  channel: Signer | undefined,
  tools: {
    readonly network: StellarNetwork;
    readonly clock: Clock;
    readonly sponsor: Signer;
    readonly running: () => boolean;
  },
  witness: Witness = NO_WITNESS,
): Promise<Fate | undefined> {
  const { network, clock, running } = tools;
  const { hash, envelope, lastLedger, sequence, sentAfter } = transaction;
  while (running()) {
    // Looked up first: most have been decided by now.
    const deadline = clock.elapsed() + AGAIN_MS;
    try {
      const found = await network.lookUp(hash);
      if (found.status === 'NOT_FOUND' && found.latestLedger <= lastLedger) {
        await network.send(envelope);
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
    const fate =
      channel === undefined
        ? await lookUntilDecided(hash, transaction, deadline, network, clock, witness)
        : await learnFate(
            { hash, sequence, lastLedger, sentAfter, channel, witness, sponsor: tools.sponsor },
            deadline,
            network,
            clock,
          );
    if (fate !== undefined) return fate;
  }
  return undefined;
}
