import type { AccountAddress } from '../../protocol/index.ts';
import type { SigningSecrets } from '../config.ts';
import { ConfigError } from '../configError.ts';
import { CHANNEL_COUNT, deriveChannelSecrets } from './channelSecrets.ts';
import { openSigner, type Signer } from './signer.ts';

export interface Signers {
  readonly sponsor: Signer;
  /** Exactly 50 different ones, without the sponsor. */
  readonly channels: readonly Signer[];
  /** Every account the facilitator holds; none may appear in a payment. */
  readonly addresses: ReadonlySet<AccountAddress>;
}

/**
 * Opens the sponsor's and the channels' secrets and checks the pool's rule: exactly 50 accounts,
 * without the sponsor (spec: Limits/Channel pool).
 * @throws ConfigError that names positions and addresses, never secrets
 */
export function openSigners(secrets: SigningSecrets): Signers {
  const problems: string[] = [];
  const sponsor = openSigner(secrets.sponsorSecret);
  if (sponsor === undefined) {
    problems.push(
      'The sponsor secret is malformed: give the secret (S…) of the account that pays fees.',
    );
  }

  const texts =
    'secrets' in secrets.channels
      ? secrets.channels.secrets
      : deriveChannelSecrets(secrets.channels.seed);
  if (texts.length !== CHANNEL_COUNT) {
    const advice =
      texts.length < CHANNEL_COUNT
        ? `add ${CHANNEL_COUNT - texts.length}`
        : `remove ${texts.length - CHANNEL_COUNT}`;
    problems.push(
      `The channel pool has ${texts.length} accounts and must have exactly ${CHANNEL_COUNT}: ${advice}.`,
    );
  }

  const channels: Signer[] = [];
  const positions = new Map<AccountAddress, number>();
  texts.forEach((text, index) => {
    const position = index + 1;
    const signer = openSigner(text);
    if (signer === undefined) {
      problems.push(
        `Channel ${position} is malformed: replace it with the secret (S…) of an account.`,
      );
      return;
    }
    const earlier = positions.get(signer.address);
    if (earlier !== undefined) {
      problems.push(
        `Channel ${position} repeats channel ${earlier} (${signer.address}): give each account once.`,
      );
    }
    if (signer.address === sponsor?.address) {
      problems.push(
        `Channel ${position} is the sponsor (${signer.address}): the sponsor is never in the pool, replace it.`,
      );
    }
    positions.set(signer.address, position);
    channels.push(signer);
  });

  if (sponsor === undefined || problems.length > 0) throw new ConfigError(problems);
  return { sponsor, channels, addresses: new Set([sponsor.address, ...positions.keys()]) };
}
