import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DATA_FOLDER_VARIABLE, openEd25519Key } from '../../machine/index.ts';
import {
  type AccountAddress,
  encodeStrKey,
  parseDecimalAmount,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import type { AgentLimits, AgentState, AgentWindow } from '../../sdk/agents/index.ts';
import { PolicyError } from '../../server/policies/index.ts';
import { CliError } from '../cliError.ts';
import type { AgentOptions, GrantOptions, TopUpOptions } from '../commandOptions.ts';
import { openDataFolder } from '../dataFolder.ts';
import { packageRoot } from '../packageRoot.ts';
import { createReport, type Report } from '../report.ts';
import {
  keyPath,
  namedAgents,
  nextKeyPath,
  readAgentKey,
  removeKey,
  takeNextKey,
  writeKey,
} from './keyFile.ts';
import { type LocalWallets, openLocalWallets } from './localWallet.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const WINDOW_SECONDS: Readonly<Record<AgentWindow, number>> = {
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
};
const DEFAULT_WINDOW = 'day';

/** `svc-x402 agent grant`: creates a key with a budget, in a file that only its owner can read. */
export async function grantAgent(options: GrantOptions): Promise<void> {
  const { name, json, showSecret = false } = options;
  const expires = new Date(Date.now() + durationOf(options.expires));
  const budget = amountOf('--budget', options.budget);
  const limits = limitsOf(options, { budget: options.budget, window: DEFAULT_WINDOW });
  await withWallets(options, async (wallets, folder) => {
    const path = keyPath(folder, name);
    const seed = randomBytes(32);
    const { publicKey } = openEd25519Key(seed);
    const agent = encodeStrKey('account', publicKey) as AccountAddress;
    const wallet = wallets.open(wallets.addressFor(publicKey));
    const secret = encodeStrKey('secretSeed', seed);
    // The name is reserved before anything happens on the ledger, because a key without its file is lost.
    await writeKey(path, name, { wallet: wallet.address, agent, secret });
    try {
      await wallets.create(publicKey);
      await wallet.fund(fundsOf(options, budget));
      await wallet.agents.grant({ ...limits, expires, key: agent });
    } catch (error) {
      await removeKey(path);
      throw error;
    }
    const tools = payingTools(path, folder);
    const words = [
      `${name} may spend ${inWords(limits)} from ${wallet.address}, until ${expires.toISOString()}.`,
      `Its key is in ${path}, which only you can read. Let an agent pay with it by adding this to its configuration:`,
      configurations(tools),
      ...(showSecret ? [`Secret key: ${secret}`] : []),
    ].join('\n');
    reportOf(json).say(words, 'granted', {
      ...{ name, agent, wallet: wallet.address, keyFile: path, ...limits },
      mcp: tools,
      expires: expires.toISOString(),
      ...(showSecret ? { secret } : {}),
    });
  });
}

/** `svc-x402 agent list`: lists every agent of the data folder with its state on the ledger. */
export async function listAgents(options: AgentOptions): Promise<void> {
  await withWallets(options, async (wallets, folder) => {
    const report = reportOf(options.json);
    const agents = await namedAgents(folder);
    if (agents.length === 0 && !options.json) {
      report.say('No agents. Create one with `svc-x402 agent grant`.', 'none', {});
    }
    for (const { name, agent, wallet, path } of agents) {
      const [state] = await wallets.open(wallet).agents.list([agent]);
      if (state === undefined) continue;
      report.say(describe(name, state), 'agent', {
        ...{ name, agent, wallet, keyFile: path, state: state.state },
        budgets: state.budgets.map(({ limit, spent, left, window, sliding, ...others }) => ({
          ...{ limit, spent, left, windowSeconds: Number(window), sliding },
          maxPayments: others.maxPayments ?? null,
          paymentsLeft: others.paymentsLeft ?? null,
          perPayment: others.perPayment ?? null,
          recipients: others.recipients ?? null,
        })),
      });
    }
  });
}

/** `svc-x402 agent top-up NAME`: changes the limits and funds that the options name, and nothing else; past spending still counts. */
export async function topUpAgent(name: string, options: TopUpOptions): Promise<void> {
  if (options.budget !== undefined) amountOf('--budget', options.budget);
  const funds = options.fund === undefined ? 0n : amountOf('--fund', options.fund);
  const changesLimits = LIMITS.some((limit) => options[limit] !== undefined);
  if (!changesLimits && funds === 0n) {
    throw new CliError('usage', 'Nothing to change. Set --budget, --fund or another limit.');
  }
  await withWallets(options, async (wallets, folder) => {
    const { agent, wallet: address } = await readAgentKey(keyPath(folder, name));
    const wallet = wallets.open(address);
    const [state] = await wallet.agents.list([agent]);
    const limits = limitsOf(
      options,
      current(known(state, name), name, options.window !== undefined),
    );
    if (changesLimits) await wallet.agents.topUp(agent, limits);
    if (funds > 0n) await wallet.fund(funds);
    reportOf(options.json).say(`${name} may spend ${inWords(limits)}.`, 'topped_up', {
      ...{ name, agent, wallet: address, ...limits },
    });
  });
}

/** The options that change a limit on the ledger. */
const LIMITS = ['budget', 'window', 'sliding', 'maxPayments', 'perPayment', 'recipient'] as const;

/** `svc-x402 agent rotate NAME`: replaces the key under the same budget, in the same key file. */
export async function rotateAgent(name: string, options: AgentOptions): Promise<void> {
  await withWallets(options, async (wallets, folder) => {
    const path = keyPath(folder, name);
    const next = nextKeyPath(path);
    const { agent: old, wallet } = await readAgentKey(path);
    const { agents } = wallets.open(wallet);
    // An interrupted rotation left its key here, and the ledger may already have it.
    const left = await readAgentKey(next).catch(() => undefined);
    const [leftState] = left === undefined ? [] : await agents.list([left.agent]);
    if (!isKnown(leftState)) {
      const [state] = await agents.list([old]);
      known(state, name);
      const seed = randomBytes(32);
      const agent = encodeStrKey('account', openEd25519Key(seed).publicKey) as AccountAddress;
      const secret = encodeStrKey('secretSeed', seed);
      await removeKey(next);
      // The key is written to a file before it is on the ledger, because a key without its file is lost.
      await writeKey(next, name, { wallet, agent, secret });
      await agents.rotate(old, { key: agent });
    }
    await takeNextKey(path);
    const { agent } = await readAgentKey(path);
    const words = `${name} has a new key under the same budget. The old key can no longer pay. Restart the programs that use ${path}.`;
    reportOf(options.json).say(words, 'rotated', { name, agent, old, wallet, keyFile: path });
  });
}

/** `svc-x402 agent revoke NAME`: removes the key from the ledger, and its file. */
export async function revokeAgent(name: string, options: AgentOptions): Promise<void> {
  await withWallets(options, async (wallets, folder) => {
    const path = keyPath(folder, name);
    const { agent, wallet } = await readAgentKey(path);
    const { agents } = wallets.open(wallet);
    const [state] = await agents.list([agent]);
    const onLedger = isKnown(state);
    if (onLedger) await agents.revoke(agent);
    await removeKey(path);
    await removeKey(nextKeyPath(path));
    const words = onLedger
      ? `${name} revoked: from the next ledger on, its key cannot pay. Its key file was removed.`
      : `The ledger does not have the key of ${name}. Its key file was removed.`;
    reportOf(options.json).say(words, 'revoked', { name, agent, onLedger });
  });
}

async function withWallets(
  { dataDir }: AgentOptions,
  work: (wallets: LocalWallets, dataFolder: string) => Promise<void>,
): Promise<void> {
  const folder = await openDataFolder(dataDir);
  const wallets = await openLocalWallets(folder);
  try {
    await work(wallets, folder);
  } catch (error) {
    // Adds the message of the ledger or the gateway.
    if (!(error instanceof PolicyError)) throw error;
    throw new CliError('failed', `The ledger was not changed: ${error.message}`, { cause: error });
  } finally {
    wallets.close();
  }
}

function isKnown(state: AgentState | undefined): state is AgentState {
  return state !== undefined && state.state !== 'revoked';
}

function known(state: AgentState | undefined, name: string): AgentState {
  if (isKnown(state)) return state;
  throw new CliError(
    'failed',
    `The ledger does not have the key of ${name}: it was revoked, or the network was reset. Revoke it, and grant a new one.`,
  );
}

type Limits = Pick<
  AgentLimits,
  'budget' | 'window' | 'sliding' | 'maxPayments' | 'perPayment' | 'recipients'
>;

/** The limits that a top-up keeps unless new ones are given. */
function current({ budgets }: AgentState, name: string, replacesWindow: boolean): Limits {
  const [budget] = budgets;
  if (budget === undefined) {
    throw new CliError('failed', `${name} has no budget on the ledger to change.`);
  }
  const named = Object.entries(WINDOW_SECONDS).find(([, one]) => BigInt(one) === budget.window);
  if (named === undefined && !replacesWindow) {
    throw new CliError(
      'failed',
      `${name} has a window of ${budget.window} seconds, which this command cannot keep. Set --window.`,
    );
  }
  const window = (named?.[0] ?? DEFAULT_WINDOW) as AgentWindow;
  const { limit, sliding, maxPayments, perPayment, recipients } = budget;
  return {
    ...{ budget: limit, window, sliding },
    ...(maxPayments === undefined ? {} : { maxPayments }),
    ...(perPayment === undefined ? {} : { perPayment }),
    ...(recipients === undefined ? {} : { recipients }),
  };
}

function limitsOf(options: TopUpOptions, otherwise: Limits): AgentLimits {
  const { budget = otherwise.budget, recipient, window = otherwise.window } = options;
  const sliding = options.sliding ?? otherwise.sliding ?? false;
  const maxPayments = options.maxPayments ?? otherwise.maxPayments;
  const perPayment = options.perPayment ?? otherwise.perPayment;
  if (options.perPayment !== undefined) amountOf('--per-payment', options.perPayment);
  const recipients = recipient ?? otherwise.recipients;
  return {
    ...{ budget, window, sliding, assets: [USDC_CONTRACT] },
    ...(maxPayments === undefined ? {} : { maxPayments }),
    ...(perPayment === undefined ? {} : { perPayment }),
    ...(recipients === undefined ? {} : { recipients }),
  };
}

/** Test USDC for ten windows, unless an amount is given. */
function fundsOf({ fund }: GrantOptions, budget: bigint): bigint {
  return fund === undefined ? 10n * budget : amountOf('--fund', fund);
}

function amountOf(name: string, text: string): bigint {
  const amount = parseDecimalAmount(text);
  if (amount !== undefined && amount > 0n) return amount;
  throw new CliError(
    'usage',
    `${name} ${text} is not an amount. Use a USDC amount such as 5 or 0.5.`,
  );
}

function durationOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (milliseconds > 0) return milliseconds;
  throw new CliError(
    'usage',
    `--expires ${text} is not a duration. Use one such as 30d, 12h or 90m.`,
  );
}

function inWords(limits: AgentLimits): string {
  const { budget, window, sliding = false, maxPayments, perPayment, recipients } = limits;
  const span = sliding ? `in any ${SPANS[window]}` : `a ${window}`;
  const many = maxPayments === undefined ? '' : `, in at most ${paymentsOf(maxPayments)}`;
  const most = perPayment === undefined ? '' : `, at most ${perPayment} USDC in one payment`;
  const to = recipients === undefined ? '' : `, only to ${recipients.join(', ')}`;
  return `${budget} USDC ${span}${many}${most}${to}`;
}

const SPANS: Readonly<Record<AgentWindow, string>> = {
  day: '24 hours',
  week: '7 days',
  month: '30 days',
};

function paymentsOf(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

function describe(name: string, { agent, state, budgets }: AgentState): string {
  const states = { active: 'active', expired: 'expired', revoked: 'not on the ledger' } as const;
  const shown = state === 'owner' ? 'no limits' : states[state];
  const left = budgets.map((one) => {
    const { paymentsLeft } = one;
    const many = paymentsLeft === undefined ? '' : ` and ${paymentsOf(paymentsLeft)}`;
    return `${one.left} of ${one.limit} USDC${many} left (${periodOf(one)})`;
  });
  return [`${name}  ${agent}  ${shown}`, ...left.map((line) => `  ${line}`)].join('\n');
}

function periodOf({ window, sliding }: AgentState['budgets'][number]): string {
  const named = Object.entries(WINDOW_SECONDS).find(([, one]) => BigInt(one) === window)?.[0];
  const each = sliding ? 'any' : 'each';
  return named === undefined ? `${each} ${window} seconds` : `${each} ${named}`;
}

function reportOf(json = false): Report {
  return createReport(json, (text) => process.stdout.write(text));
}

/** How a client of MCP starts the tools that pay: a program by its path, because a name is looked up wherever the client runs. */
interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns how to start this installation's tools with an agent's key. */
function payingTools(keyFile: string, dataFolder: string): McpServer {
  const program = join(packageRoot().folder, 'dist', 'cli.js');
  return {
    command: process.execPath,
    args: [program, 'mcp', '--pay', '--key-file', keyFile],
    env: { [DATA_FOLDER_VARIABLE]: dataFolder },
  };
}

/** The OpenAI Agents SDK stops waiting for a tool after 5 seconds. Its params cannot change that, so the answer comes before. */
const OPENAI_SECONDS = 4;

/** The configuration of each client as text to paste, complete. */
function configurations(server: McpServer): string {
  const shown = (value: unknown) => JSON.stringify(value, undefined, 2);
  return [
    'Claude Desktop (claude_desktop_config.json) and Cursor (.cursor/mcp.json):',
    shown({ mcpServers: { 'svc-x402': server } }),
    'VS Code (.vscode/mcp.json):',
    shown({ servers: { 'svc-x402': { type: 'stdio', ...server } } }),
    'OpenAI Agents SDK (the params of MCPServerStdio):',
    shown({ ...server, args: [...server.args, '--answer-within', `${OPENAI_SECONDS}`] }),
  ].join('\n');
}
