import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openEd25519Key } from '../../machine/index.ts';
import type { Purse } from '../../mcp/pay/purse.ts';
import {
  type AccountAddress,
  decodeStrKey,
  encodeStrKey,
  parseContractAddress,
  parseDecimalAmount,
} from '../../protocol/index.ts';
import {
  accountSigner,
  connectRpc,
  fetchTransport,
  RpcFailedError,
} from '../../sdk/exact/index.ts';
import { agentSigner } from '../../sdk/wallet/index.ts';
import { type AgentKey, readAgentKey } from '../agents/index.ts';
import { CliError } from '../cliError.ts';
import type { PayingOptions } from '../commandOptions.ts';
import { openDataFolder } from '../dataFolder.ts';
import { runningService } from '../serviceFile.ts';
import { AccountPurse } from './accountPurse.ts';
import type { OpenTool } from './exchange.ts';
import { limitsOf, type Payer, whyNot } from './payer.ts';
import { Refusal } from './refusal.ts';

const ASK_ABOVE = '0.1';
/** For a key that has no limit on the ledger. */
const UNLIMITED_CEILING = '1';
/** Well before the 60 seconds after which most clients stop waiting. */
const ANSWER_WITHIN_SECONDS = 15;
const LOOK_WITHIN_MS = 10_000;
/** Bits of a file's mode that let others read it. */
const OTHERS = 0o077;

/**
 * Opens the purse that `svc-x402 mcp --pay` pays from. The key comes from the environment or a file, never from an argument,
 * which every process on the machine can read.
 * @throws CliError with one sentence if the key may not pay
 */
export async function openPurse(options: PayingOptions): Promise<Purse> {
  const { allowUnlimited = false } = options;
  const folder = await openDataFolder(undefined);
  const payer = await readPayer(options.keyFile);
  if (payer.wallet === undefined && !allowUnlimited) {
    throw usage(
      'PAYER_WALLET is not set. Set it to the smart account on which the key of PAYER_SECRET has a budget, or add --allow-unlimited to pay from an account without a limit on the ledger.',
    );
  }
  const askAbove = amountOf('--ask-above', options.askAbove ?? ASK_ABOVE);
  const named = options.ceiling ?? (allowUnlimited ? UNLIMITED_CEILING : undefined);
  const ceiling = named === undefined ? undefined : amountOf('--ceiling', named);
  const findRpc = () => rpcOf(folder);
  await checkKey(payer, allowUnlimited, findRpc);
  const openTool: OpenTool = async (tool) => (await import('../../mcp/main.ts')).openTool(tool);
  return new AccountPurse({
    ...{ payer, findRpc, openTool, allowUnlimited, askAbove, ceiling },
    receipts: join(folder, 'receipts'),
    answers: join(folder, 'answers'),
    display: {
      textOnly: options.textOnly ?? false,
      folder: options.saveTo === undefined ? undefined : resolve(options.saveTo),
    },
    answerWithin: 1_000 * (options.answerWithin ?? ANSWER_WITHIN_SECONDS),
  });
}

/** A network that does not answer yet is queried again before each payment. */
async function checkKey(
  payer: Payer,
  allowUnlimited: boolean,
  findRpc: () => Promise<string>,
): Promise<void> {
  try {
    const transport = fetchTransport((input, init) =>
      fetch(input, { ...init, signal: AbortSignal.timeout(LOOK_WITHIN_MS) }),
    );
    const key = await limitsOf(payer, connectRpc(await findRpc(), transport));
    const refused = whyNot(key, payer, allowUnlimited);
    if (refused !== undefined) throw usage(refused);
  } catch (error) {
    if (!(error instanceof RpcFailedError || error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message} The key is looked up before each payment.\n`);
  }
}

async function readPayer(keyFile: string | undefined): Promise<Payer> {
  const file = keyFile === undefined ? undefined : await readFileAlone(keyFile);
  const seed = decodeStrKey('secretSeed', file?.secret ?? (await readSecret()));
  if (seed === undefined) {
    throw usage('PAYER_SECRET is not the secret key of a Stellar account (S…).');
  }
  const { publicKey, sign } = openEd25519Key(seed);
  const signHash = async (hash: Uint8Array) => new Uint8Array(sign(hash));
  const key = encodeStrKey('account', publicKey) as AccountAddress;
  const named = file?.wallet ?? process.env['PAYER_WALLET']?.trim();
  if (!named) {
    const signer = accountSigner(key, signHash);
    return { address: key, key, wallet: undefined, ownsAccount: true, signer };
  }
  const wallet = parseContractAddress(named);
  if (wallet === undefined) throw usage('PAYER_WALLET is not a smart account (C…).');
  const signer = agentSigner(wallet, publicKey, signHash);
  return { address: wallet, key, wallet, ownsAccount: file !== undefined, signer };
}

/** The key file determines who pays, so variables for the same could silently contradict it. */
async function readFileAlone(path: string): Promise<AgentKey> {
  for (const name of ['PAYER_SECRET', 'PAYER_SECRET_FILE', 'PAYER_WALLET']) {
    if (process.env[name]?.trim()) throw usage(`Use ${name} or --key-file, not both.`);
  }
  return readAgentKey(path);
}

async function readSecret(): Promise<string> {
  const given = process.env['PAYER_SECRET']?.trim();
  const path = process.env['PAYER_SECRET_FILE']?.trim();
  if (given && path) throw usage('Set PAYER_SECRET or PAYER_SECRET_FILE, not both.');
  if (given) return given;
  if (!path) {
    throw usage(
      'mcp --pay needs a key. Use --key-file, or set PAYER_WALLET and either PAYER_SECRET or PAYER_SECRET_FILE, a file with the secret (docs/agents.md).',
    );
  }
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw usage(`PAYER_SECRET_FILE ${path} can be read by others. Run chmod 600 on it.`);
    }
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw usage(`PAYER_SECRET_FILE ${path} cannot be read.`);
  }
}

function amountOf(name: string, text: string): bigint {
  const amount = parseDecimalAmount(text);
  if (amount !== undefined) return amount;
  throw usage(`${name} ${text} is not an amount. Use a USDC amount such as 0.1.`);
}

async function rpcOf(folder: string): Promise<string> {
  const given = process.env['STELLAR_RPC_URL']?.trim();
  if (given) return given;
  const service = await runningService(folder);
  if (service) return service.network.rpcUrl;
  throw new Refusal(
    'service_unreachable',
    'No service is running on this machine. Start it with `svc-x402 dev`, or set STELLAR_RPC_URL.',
  );
}

function usage(message: string): CliError {
  return new CliError('usage', message);
}
