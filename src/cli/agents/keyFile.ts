import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { AGENT_NAME_RULE, AGENTS_FOLDER, isAgentName, makeFolder } from '../../machine/index.ts';
import {
  type AccountAddress,
  type ContractAddress,
  decodeStrKey,
  parseAccountAddress,
  parseContractAddress,
} from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';

/** An agent's key, in the form that `svc-x402 mcp --pay --key-file` reads. */
export interface AgentKey {
  /** The smart account that pays. */
  readonly wallet: ContractAddress;
  /** The key (`G…`). */
  readonly agent: AccountAddress;
  /** `S…` */
  readonly secret: string;
}

export interface NamedAgent extends AgentKey {
  readonly name: string;
  readonly path: string;
}

/** Bits of a file's mode that let others read it. */
const OTHERS = 0o077;

const schema = z.object({
  version: z.literal(1),
  wallet: z.string(),
  agent: z.string(),
  secret: z.string(),
});

/** Returns the path of an agent's key file in a data folder. @throws CliError for an invalid name */
export function keyPath(dataFolder: string, name: string): string {
  if (isAgentName(name)) return join(dataFolder, AGENTS_FOLDER, `${name}.json`);
  throw new CliError('usage', AGENT_NAME_RULE);
}

/** Writes a key file that only its owner can read. @throws CliError if the name is taken */
export async function writeKey(path: string, name: string, key: AgentKey): Promise<void> {
  const { wallet, agent, secret } = key;
  makeFolder(join(path, '..'));
  try {
    const text = `${JSON.stringify({ version: 1, wallet, agent, secret }, null, 2)}\n`;
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new CliError(
        'failed',
        `An agent named ${name} already exists (${path}). Choose another --name, top it up, or revoke it.`,
        { cause },
      );
    }
    throw new CliError('failed', `The key file ${path} cannot be written.`, { cause });
  }
}

/** Path of an agent's next key until the ledger has it. */
export function nextKeyPath(path: string): string {
  return `${path}.next`;
}

/** Replaces the current key with the next one. */
export async function takeNextKey(path: string): Promise<void> {
  await rename(nextKeyPath(path), path);
}

export async function removeKey(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Reads a key file. @throws CliError if it is missing or malformed, or if others can read it */
export async function readAgentKey(path: string): Promise<AgentKey> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw usage(`The key file ${path} can be read by others. Run chmod 600 on it.`);
    }
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw usage(
      `The key file ${path} cannot be read. \`svc-x402 agent grant\` writes one, and \`agent list\` shows the existing ones.`,
    );
  }
  const parsed = z.safeParse(schema, parseJson(text));
  const wallet = parseContractAddress(parsed.data?.wallet ?? '');
  const agent = parseAccountAddress(parsed.data?.agent ?? '');
  const secret = parsed.data?.secret ?? '';
  if (wallet === undefined || agent === undefined || !decodeStrKey('secretSeed', secret)) {
    throw usage(`${path} is not a key file of an agent. \`svc-x402 agent grant\` writes one.`);
  }
  return { wallet, agent, secret };
}

/** The agents of a data folder, by name. Files that are not key files are left out. */
export async function namedAgents(dataFolder: string): Promise<readonly NamedAgent[]> {
  const files = await readdir(join(dataFolder, AGENTS_FOLDER)).catch(() => []);
  const agents: NamedAgent[] = [];
  for (const file of files.filter((one) => one.endsWith('.json')).sort()) {
    const name = file.slice(0, -'.json'.length);
    if (!isAgentName(name)) continue;
    const path = keyPath(dataFolder, name);
    const key = await readAgentKey(path).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    });
    if (key) agents.push({ ...key, name, path });
  }
  return agents;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function usage(message: string): CliError {
  return new CliError('usage', message);
}
