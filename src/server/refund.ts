import { NETWORK_RESET_WORDS, parseContractAddress } from '../protocol/index.ts';
import { accountKey, instanceKey } from '../protocol/stellar/index.ts';
import type { Clock } from './clock.ts';
import type { FacilitatorConfig } from './config.ts';
import { ConfigError } from './configError.ts';
import { createChannelsOn } from './createChannels.ts';
import type { Logger } from './logger.ts';
import type { StellarNetwork } from './network/index.ts';
import { type Signers, SubmissionError } from './settlement/index.ts';

/** Something that the service waits for before it can serve. */
export class NotYetError extends Error {
  readonly code = 'not_yet';
}

const FRIENDBOT_MS = 20_000;

/** Asks friendbot to fund an account. @throws NotYetError */
async function askFriendbot(friendbotUrl: string, address: string): Promise<void> {
  const url = new URL(friendbotUrl);
  url.searchParams.set('addr', address);
  let why: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FRIENDBOT_MS) });
    await response.body?.cancel();
    if (response.ok) return;
    why = `HTTP ${response.status}`;
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  throw new NotYetError(`Friendbot at ${url.host} did not fund ${address}: ${why}.`);
}

/**
 * Gives the sponsor and the channels their accounts on a network that started again: from friendbot, if the network has one and
 * the settings allow it. Otherwise the commands that do it are named.
 * @throws NotYetError until the accounts exist
 */
export async function refundAfterReset(
  config: FacilitatorConfig,
  { sponsor, channels }: Signers,
  network: StellarNetwork,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const { entries } = await network.getLedgerEntries([sponsor, ...channels].map(accountKey));
  if (entries.every((entry) => entry !== undefined)) return;
  const { friendbotUrl } = await network.getNetwork();
  const [sponsorEntry] = entries;
  if (!config.refundsAfterReset || typeof friendbotUrl !== 'string') {
    const fund =
      typeof friendbotUrl === 'string'
        ? `curl '${friendbotUrl}?addr=${sponsor.address}'`
        : `fund ${sponsor.address}`;
    throw new NotYetError(
      `${NETWORK_RESET_WORDS} To continue: ${sponsorEntry === undefined ? `${fund}, then ` : ''}` +
        'svc-x402 facilitator create-channels',
    );
  }
  if (sponsorEntry === undefined) {
    await askFriendbot(friendbotUrl, sponsor.address);
    logger.warn({ sponsor: sponsor.address }, 'friendbot funded the sponsor on the new network');
  }
  try {
    const { created } = await createChannelsOn({ ...config, logger, clock }, network);
    if (created.length > 0) {
      logger.warn({ channels: created.length }, 'created the channels on the new network');
    }
  } catch (error) {
    // The sponsor's account may not be visible yet, or another instance creates them at the same time.
    if (!(error instanceof ConfigError) && !(error instanceof SubmissionError)) throw error;
    throw new NotYetError(error.message);
  }
}

/**
 * Returns the settings for a network that started again: without `upto` while its contract is not deployed there, since `exact`
 * needs no contract.
 */
export async function schemesAfterReset<Config extends Pick<FacilitatorConfig, 'uptoContractId'>>(
  config: Config,
  network: StellarNetwork,
  logger: Logger,
): Promise<Config> {
  const contract = parseContractAddress(config.uptoContractId ?? '');
  if (contract === undefined) return config;
  const [entry] = (await network.getLedgerEntries([instanceKey(contract)])).entries;
  if (entry !== undefined) return config;
  logger.error(
    { contract },
    `${NETWORK_RESET_WORDS} The upto contract is not on the new network: only exact is served until it is deployed and the service starts again.`,
  );
  return { ...config, uptoContractId: null };
}
