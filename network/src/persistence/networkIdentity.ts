import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './atomicFile.ts';
import { PersistenceError } from './persistenceError.ts';

const FILE = 'network.json';
const LAYOUT = 1;

/** Identifies the network in a folder. Stored with mode 0600, because all genesis keys derive from the seed. */
export interface NetworkIdentity {
  readonly passphrase: string;
  readonly seed: string;
}

/** Creates a seed that nobody can guess. */
export function newSeed(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Reads the identity of the network in a folder, or writes it to an empty folder.
 * @param wanted the identity that the caller requires; an undefined seed is taken from the folder or created
 * @throws PersistenceError `OTHER_NETWORK`, `DAMAGED`
 */
export function identifyNetwork(
  folder: string,
  wanted: { readonly passphrase: string; readonly seed: string | undefined },
): NetworkIdentity {
  const path = join(folder, FILE);
  const stored = readIdentity(path);
  if (stored === undefined) {
    requireEmpty(folder, path);
    const identity = { passphrase: wanted.passphrase, seed: wanted.seed ?? newSeed() };
    const text = `${JSON.stringify({ layout: LAYOUT, ...identity }, undefined, 2)}\n`;
    writeFileAtomically(path, [Buffer.from(text)]);
    return identity;
  }
  if (stored.passphrase !== wanted.passphrase) {
    throw other(
      `${folder} contains the network "${stored.passphrase}", not "${wanted.passphrase}"`,
    );
  }
  if (wanted.seed !== undefined && wanted.seed !== stored.seed) {
    throw other(`${folder} contains a network with another seed`);
  }
  return stored;
}

function readIdentity(path: string): NetworkIdentity | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const value = parse(text);
  if (value?.layout !== undefined && value.layout !== LAYOUT) {
    throw new PersistenceError(
      'OTHER_NETWORK',
      `A newer version of Svc x402 wrote ${path}. Run that version, or choose another data folder with --data-dir.`,
    );
  }
  const passphrase = value?.passphrase;
  const seed = value?.seed;
  if (typeof passphrase === 'string' && typeof seed === 'string') return { passphrase, seed };
  throw new PersistenceError('DAMAGED', `${path} does not identify the network in the folder.`);
}

/** The file is written before all others, so a folder that has ledgers but not this file has lost it. */
function requireEmpty(folder: string, path: string): void {
  if (!readdirSync(folder).some((name) => /^(ledgers|state)-/.test(name))) return;
  throw new PersistenceError(
    'DAMAGED',
    `${path} is missing, but ${folder} contains ledgers. Restore it from a backup, or choose another data folder.`,
  );
}

/** The content of the file before it is checked. */
interface Unchecked {
  readonly layout?: unknown;
  readonly passphrase?: unknown;
  readonly seed?: unknown;
}

function parse(text: string): Unchecked | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function other(what: string): PersistenceError {
  return new PersistenceError('OTHER_NETWORK', `${what}: choose another data folder.`);
}
