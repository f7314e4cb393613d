import { createHash } from 'node:crypto';
import { openEd25519Key } from '../../machine/index.ts';
import { TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';
import { deriveChannelSecrets } from './channelSecrets.ts';

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
export function seedProblem(seed: string): string | undefined {
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
export function publishedAccount(address: string): string | undefined {
  root ??= rootAddress();
  return address === root ? "the network's root account" : PUBLISHED_ACCOUNTS[address];
}

/** Whether channel secrets given one by one derive from a published seed. */
export function derivesFromPublished(secrets: readonly string[]): boolean {
  const given = new Set(secrets);
  return PUBLISHED_SEEDS.some((seed) =>
    deriveChannelSecrets(seed).some((secret) => given.has(secret)),
  );
}
