import { createHash } from 'node:crypto';
import { openEd25519Key } from '../../machine/index.ts';
import { type AccountAddress, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';
import type { SigningSecrets } from '../config.ts';
import { ConfigError } from '../configError.ts';
import { CHANNEL_COUNT, deriveChannelSecrets } from './channelSecrets.ts';
import { openSigner, type Signer } from './signer.ts';

/** Seeds that pages and examples have shown. Anyone can derive the channel accounts of a published seed. */
const PUBLISHED_SEEDS = [
  'a long random text',
  'a long random string',
  'a long random seed',
  'your channel seed',
  'my channel seed',
  'channel seed example',
  'change me to a random text',
  'correct horse battery staple',
] as const;

/** Accounts whose secrets were published, by address, and where. */
const PUBLISHED_ACCOUNTS: Readonly<Record<string, string>> = {
  GC2BKLYOOYPDEFJKLKY6FNNRQMGFLVHJKQRGNSSRRGSMPGF32LHCQVGF: 'the pages of the Stellar SDK',
  GBTWFVB7O7B2UMAQOXOLSC5TNKNDJDCXN37WT4BTKOWGYX2GGEFIELIG: 'the tests of svc-x402',
};

/** A seed with fewer different characters than this can be guessed. Shorter seeds than `MIN_LENGTH` are refused as short. */
const MIN_DIFFERENT = 8;
const MIN_LENGTH = 16;

/** How a seed of one's own is made. */
const MAKE_ONE = 'Make one with `openssl rand -hex 32`';

/** Ignores case, spaces and punctuation, in which copies of an example differ. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const published: ReadonlySet<string> = new Set(PUBLISHED_SEEDS.map(bare));

/**
 * Returns what is wrong with a seed of channel accounts: that it was published, or that it can be guessed. The sentence
 * contains the seed only if it was published.
 */
function seedProblem(seed: string): string | undefined {
  if (published.has(bare(seed))) {
    return (
      `CHANNEL_SEED is the published example "${seed}", so anyone can derive its channel accounts: ` +
      `use a seed of your own. ${MAKE_ONE}, then run \`svc-x402 facilitator create-channels\` once.`
    );
  }
  if (seed.length >= MIN_LENGTH && new Set(seed).size < MIN_DIFFERENT) {
    return `CHANNEL_SEED has fewer than ${MIN_DIFFERENT} different characters, so it can be guessed. ${MAKE_ONE}.`;
  }
  return undefined;
}

/** Address of a network's first account, whose secret is the hash of the network's passphrase. */
function rootAddress(): string {
  const seed = createHash('sha256').update(TESTNET_PASSPHRASE).digest();
  return accountAddressOf(openEd25519Key(seed).publicKey);
}

let root: string | undefined;

/** Returns where the secret of an account was published; `undefined` if it is not known to be. */
function publishedAccount(address: string): string | undefined {
  root ??= rootAddress();
  return address === root ? "the network's root account" : PUBLISHED_ACCOUNTS[address];
}

/** Whether channel secrets given one by one derive from a published seed. */
function derivesFromPublished(secrets: readonly string[]): boolean {
  const given = new Set(secrets);
  return PUBLISHED_SEEDS.some((seed) =>
    deriveChannelSecrets(seed).some((secret) => given.has(secret)),
  );
}

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
