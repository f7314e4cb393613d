import { accountKey } from '../../src/protocol/stellar/index.ts';
import { RpcError, type StellarNetwork } from '../../src/server/network/index.ts';
import {
  draftTransaction,
  innerTransaction,
  resourceFeeOf,
  signedEnvelope,
  unsignedEnvelope,
} from '../../src/server/settlement/index.ts';
import type { TestNetwork } from '../helpers/facilitators/openTestNetwork.ts';
import { testKey } from '../support/payer.ts';

const INCLUSION_FEE = 1_000n;
const VALID_LEDGERS = 20;

/**
 * Sends a payment's operation as a seller does who trusts no facilitator: in a transaction of another account. If the ledger
 * refuses it, for example since it is already paid, nothing is sent.
 */
export async function sendElsewhere(
  sender: string,
  operation: Uint8Array,
  { hold }: TestNetwork,
  network: StellarNetwork,
): Promise<void> {
  const channel = await hold(testKey(sender), 0n);
  const { entries } = await network.getLedgerEntries([accountKey(channel)]);
  const [entry] = entries;
  if (entry?.type !== 'account') throw new Error(`${sender} does not exist`);
  const parts = { channel, sequence: entry.account.seqNum + 1n, operation };
  const simulation = await network.simulate(unsignedEnvelope(draftTransaction(parts)));
  if (simulation.status !== 'success') return;
  const inner = innerTransaction({
    ...parts,
    resources: simulation.encodedData,
    resourceFee: resourceFeeOf(simulation),
    inclusionFee: INCLUSION_FEE,
    lastLedger: simulation.latestLedger + VALID_LEDGERS,
  });
  try {
    await network.send(signedEnvelope(inner, channel).envelope);
  } catch (error) {
    // Whether the network has it is read from the ledger at the end, as for everybody's transactions.
    if (!(error instanceof RpcError)) throw error;
  }
}
