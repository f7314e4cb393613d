import type { AccountAddress } from '../../protocol/index.ts';
import type { SigningSecrets } from '../config.ts';
import { ConfigError } from '../configError.ts';
import { CHANNEL_COUNT, deriveChannelSecrets } from './channelSecrets.ts';
import { derivesFromPublished, publishedAccount, seedProblem } from './publishedSecrets.ts';
import { openSigner, type Signer } from './signer.ts';

export interface Signers {
  readonly sponsor: Signer;
  /** Exactly 50 different ones, without the sponsor. */
  readonly channels: readonly Signer[];
  /** Every account the facilitator holds; none may appear in a payment. */
  readonly addresses: ReadonlySet<AccountAddress>;
}

/** The accounts of the secrets, or what is wrong with them. */
interface JudgedSigners {
  /** `undefined` if there are problems. */
  readonly signers: Signers | undefined;
  /** One sentence each, with positions and addresses, never secrets. */
  readonly problems: readonly string[];
}

/**
 * Opens the sponsor's and the channels' secrets and checks the pool's rule: exactly 50 accounts,
 * without the sponsor (spec: Limits/Channel pool). Secrets that were published are refused.
 */
export function judgeSigners(secrets: SigningSecrets): JudgedSigners {
  const problems: string[] = [];
  const sponsor = openSigner(secrets.sponsorSecret);
  if (sponsor === undefined) {
    problems.push(
      'The sponsor secret is malformed: set SPONSOR_SECRET to the secret (S…) of the account that pays fees.',
    );
  } else {
    const published = publishedAccount(sponsor.address);
    if (published !== undefined) {
      problems.push(
        `SPONSOR_SECRET is a published example (${published}; account ${sponsor.address}), so anyone can spend its money: ` +
          'use a secret of your own.',
      );
    }
  }
  if ('seed' in secrets.channels) {
    const problem = seedProblem(secrets.channels.seed);
    if (problem !== undefined) problems.push(problem);
  } else if (derivesFromPublished(secrets.channels.secrets)) {
    problems.push(
      'CHANNEL_SECRETS derive from a published example of CHANNEL_SEED, so anyone has them: use secrets of your own.',
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
    const published = publishedAccount(signer.address);
    if (published !== undefined) {
      problems.push(
        `Channel ${position} is a published example (${published}; account ${signer.address}): replace it.`,
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

  if (sponsor === undefined || problems.length > 0) return { signers: undefined, problems };
  const addresses = new Set([sponsor.address, ...positions.keys()]);
  return { signers: { sponsor, channels, addresses }, problems };
}

/**
 * Opens the accounts of the secrets.
 * @throws ConfigError with every problem of `judgeSigners`
 */
export function openSigners(secrets: SigningSecrets): Signers {
  const { signers, problems } = judgeSigners(secrets);
  if (signers === undefined) throw new ConfigError(problems);
  return signers;
}
