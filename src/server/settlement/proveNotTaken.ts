import type { SettlementHash } from '../../protocol/index.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { accountKey } from './accountKey.ts';
import { reachesBack } from './lookUntilDecided.ts';
import type { Signer } from './signer.ts';

/**
 * Whether a transaction that a server refused because of its sequence number was certainly not accepted.
 * The refusal alone does not prove it: if a request arrives twice, the second is refused because the first
 * was accepted. A sequence number that another transaction used, or that is not the next one, proves it.
 */
export async function proveNotTaken(
  transaction: {
    readonly hash: SettlementHash;
    readonly sequence: bigint;
    readonly sentAfter: number;
  },
  channel: Signer,
  network: StellarNetwork,
): Promise<boolean> {
  const { hash, sequence, sentAfter } = transaction;
  try {
    const { entries, latestLedger } = await network.getLedgerEntries([accountKey(channel)]);
    const [entry] = entries;
    if (entry?.type !== 'account') return false;
    const { seqNum } = entry.account;
    // It is exactly the next one: the server that refused it was behind, and another may accept it.
    if (seqNum === sequence - 1n) return false;
    if (seqNum < sequence) return true;
    const found = await network.lookUp(hash);
    return (
      found.status === 'NOT_FOUND' &&
      found.latestLedger >= latestLedger &&
      reachesBack(found, sentAfter)
    );
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return false;
  }
}
