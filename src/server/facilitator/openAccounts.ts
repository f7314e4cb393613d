import { accountKey } from '../../protocol/stellar/index.ts';
import { ConfigError } from '../configError.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import type { Signers } from '../settlement/index.ts';
import { describeForeign, foreignChannels } from './channelOrigin.ts';

/**
 * Reads the accounts from the ledger: the channels' sequence numbers, and whether the sponsor exists. Warns if another account
 * created the channels.
 */
export async function openAccounts(signers: Signers, network: StellarNetwork, logger: Logger) {
  const accounts = [signers.sponsor, ...signers.channels];
  const { entries } = await network.getLedgerEntries(accounts.map(accountKey));
  const [sponsorEntry, ...channelEntries] = entries;
  if (sponsorEntry === undefined) {
    throw new ConfigError([
      `The sponsor ${signers.sponsor.address} does not exist on the network. Fund it first.`,
    ]);
  }
  const missing = channelEntries.filter((entry) => entry === undefined).length;
  if (missing > 0) {
    throw new ConfigError([
      `${missing} of the ${signers.channels.length} channel accounts do not exist on the network. ` +
        'Create them with `svc-x402 facilitator create-channels`.',
    ]);
  }
  const foreign = foreignChannels(sponsorEntry, channelEntries);
  if (foreign !== undefined) {
    logger.warn(
      { channels: foreign.count },
      `channels of another account: ${describeForeign(foreign)}`,
    );
  }
  const channels = signers.channels.map((signer, index) => {
    const entry = channelEntries[index];
    return {
      signer,
      sequence: entry?.type === 'account' ? entry.account.seqNum : undefined,
      asOfLedger: 0,
    };
  });
  const balance = sponsorEntry.type === 'account' ? sponsorEntry.account.balance : undefined;
  return { channels, balance };
}
