import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** A caller of the service that its operator has given a key. The key itself is not kept. */
export interface ApiKey {
  /** For logs, metrics and limits. */
  readonly name: string;
  /** SHA-256 of the key. */
  readonly digest: Uint8Array;
  /** Requests a minute; `null` for the limit of an address. */
  readonly requestsPerMinute: number | null;
  /** Network fees in 24 hours, in stroops; `null` for no budget of its own. */
  readonly feesPerDayStroops: bigint | null;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** What `openssl rand -hex 32` and similar programs print. */
const KEY = /^[A-Za-z0-9_-]{32,128}$/;
const SETTING = /^(requests|fees)=(\d{1,15})$/;
const MAX_REQUESTS = 100_000;

/** The keys, or what is wrong: sentences that contain no key. */
export interface ReadKeys {
  readonly keys: readonly ApiKey[];
  readonly problems: readonly string[];
}

function digestOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/** Reads one line; a text is what is wrong with it. */
function readLine(line: string): ApiKey | string {
  const [name = '', key = '', ...settings] = line.split(/\s+/);
  if (!NAME.test(name)) return 'needs a name of a-z, 0-9 and - first';
  if (!KEY.test(key)) {
    return `(${name}) needs a key of 32 to 128 letters, digits, - and _: make one with \`openssl rand -hex 32\``;
  }
  let requestsPerMinute: number | null = null;
  let feesPerDayStroops: bigint | null = null;
  for (const setting of settings) {
    const [, what, value = ''] = SETTING.exec(setting) ?? [];
    if (what === 'fees') feesPerDayStroops = BigInt(value);
    else if (what === 'requests' && Number(value) > 0 && Number(value) <= MAX_REQUESTS) {
      requestsPerMinute = Number(value);
    } else
      return `(${name}) may have only requests= (1 to ${MAX_REQUESTS} a minute) and fees= (stroops a day) after its key`;
  }
  return { name, digest: digestOf(key), requestsPerMinute, feesPerDayStroops };
}

/**
 * Reads API keys: one a line, or separated by semicolons, as `NAME KEY [requests=N] [fees=STROOPS]`. Lines that begin with `#` are
 * comments.
 * @param source the variable's name, for problems
 */
export function parseApiKeys(text: string, source: string): ReadKeys {
  const problems: string[] = [];
  const keys: ApiKey[] = [];
  const lines = text.split(/[\n;]/).map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const read = readLine(line);
    if (typeof read === 'string') problems.push(`${source}: line ${at + 1} ${read}.`);
    else if (keys.some(({ name }) => name === read.name)) {
      problems.push(`${source}: line ${at + 1} repeats the name ${read.name}.`);
    } else if (keys.some(({ digest }) => timingSafeEqual(digest, read.digest))) {
      problems.push(`${source}: line ${at + 1} (${read.name}) repeats another one's key.`);
    } else keys.push(read);
  }
  if (keys.length === 0 && problems.length === 0) {
    problems.push(`${source} has no API key. Remove the setting, or add one.`);
  }
  return { keys, problems };
}

/** Reads API keys from a file that only its owner can read. */
export function readApiKeysFile(path: string): ReadKeys {
  const source = `API_KEYS_FILE (${path})`;
  try {
    // On Windows, modes do not show who can read a file.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      return { keys: [], problems: [`${source} can be read by others: run \`chmod 600\` on it.`] };
    }
    return parseApiKeys(readFileSync(path, 'utf8'), source);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    return { keys: [], problems: [`${source} cannot be read (${code}).`] };
  }
}

/** Returns the key that a request has in `Authorization: Bearer …`; `undefined` if it has none of these. */
export function findApiKey(
  keys: readonly ApiKey[],
  authorization: string | undefined,
): ApiKey | undefined {
  const [, given] = /^Bearer +([A-Za-z0-9_-]{32,128})$/i.exec(authorization ?? '') ?? [];
  if (given === undefined) return undefined;
  const digest = digestOf(given);
  return keys.find((key) => timingSafeEqual(key.digest, digest));
}

/** The key of a caller's limits: no address looks like it. */
export function limitKeyOf({ name }: ApiKey): string {
  return `key:${name}`;
}
