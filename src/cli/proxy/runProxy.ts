import { createHash, randomBytes } from 'node:crypto';
import { type Stats, unwatchFile, watchFile } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectFacilitator } from '../../handlers/facilitator/index.ts';
import { makeFolder } from '../../machine/index.ts';
import {
  encodeStrKey,
  formatDecimalAmount,
  parseStellarAddress,
  type StellarAddress,
} from '../../protocol/index.ts';
import {
  DEFAULT_LIMITS,
  type Documented,
  type DocumentRoutes,
  type McpConfig,
  type Otherwise,
  openSales,
  PROTOCOL_NAMES,
  type ProxyConfig,
  plainTerms,
  type RunningProxy,
  readAmount,
  readConfig,
  readUrl,
  startProxy,
  whyNoReceipts,
} from '../../proxy/index.ts';
import { type ReceiptKey, receiptKey } from '../../seller/index.ts';
import { openStore } from '../../server/store/index.ts';
import { leaveServiceFile } from '../announce.ts';
import { CliError } from '../cliError.ts';
import { checkedPayTo } from '../code/payTo.ts';
import type { ProxyCommand } from '../commandOptions.ts';
import { describeProblems, type Unpriced, withOpenApi } from '../openApiDocument.ts';
import { DEFAULT_PROXY_PORT } from '../optionValues.ts';
import { packageRoot } from '../packageRoot.ts';
import { columns } from '../report.ts';
import { anyService, runningService } from '../serviceFile.ts';
import { inSession, type Session } from '../session.ts';
import { mcpIn } from './mcpOptions.ts';

/** How often a configuration is looked at for changes. */
const LOOK_MS = 500;

/** `svc-x402 proxy`: sells what an HTTP API serves, until Ctrl-C. */
export function runProxy(options: ProxyCommand): Promise<void> {
  return inSession(options, async (session) => {
    requireOneSource(options);
    requireReceipts(options);
    // Before the local service is started: a mistake should not leave one behind.
    const asked = options.config === undefined ? undefined : await configIn(options.config);
    const plain = asked === undefined ? await plainIn(options) : undefined;
    const facilitatorUrl = await facilitatorOf(session, options, asked?.config);
    const { config: read, unsold } =
      asked ?? (await configOf(options, plain ?? (await plainIn(options)), session));
    const config = withOptions(read, options);
    const noReceipts = config.receipts ? whyNoReceipts(config) : undefined;
    if (noReceipts !== undefined) throw new CliError('usage', noReceipts);
    const { proxy, folder, signing } = await sellWith(session, options, config, {
      ...{ facilitatorUrl, name: folderName(config) },
    });
    tell(session, config, proxy, facilitatorUrl, signing);
    tellUnsold(session, unsold);
    if (options.config !== undefined) watch(session, options, options.config, folder, proxy);
    await session.stopped;
  });
}

/**
 * Starts a proxy with a configuration, in a session that ends it.
 * @param at the facilitator, and the name of the folder in which its sales are kept
 */
export async function sellWith(
  session: Session,
  options: Pick<ProxyCommand, 'port' | 'host'>,
  config: ProxyConfig,
  { facilitatorUrl, name }: { readonly facilitatorUrl: string; readonly name: string },
): Promise<{
  readonly proxy: RunningProxy;
  readonly folder: string;
  readonly signing: ReceiptKey | undefined;
}> {
  const folder = join(session.folder, 'proxy', name);
  const bodies = join(folder, 'bodies');
  makeFolder(join(session.folder, 'proxy'));
  makeFolder(folder);
  makeFolder(bodies);
  const { logger: log } = session;
  const database = await openStore({
    databaseUrl: process.env['DATABASE_URL']?.trim() || null,
    dataFolder: folder,
  });
  const sales = await openSales(database, {
    instance: randomBytes(8).toString('hex'),
    folder: bodies,
    now: Date.now,
    onError: (err) => log.error({ err }, 'the sales could not be tidied up'),
  });
  session.closers.add(sales);
  const elapsed = (): number => performance.now();
  const facilitator = connectFacilitator(facilitatorUrl, elapsed);
  const secret = await secretIn(folder);
  if (process.env['DATABASE_URL']?.trim() && !process.env['PROXY_SECRET']?.trim()) {
    log.warn({}, 'set the same PROXY_SECRET for all proxies that share this database');
  }
  const signing = config.receipts ? await receiptKeyIn(folder, config) : undefined;
  const payPage = await payPageFor(session, facilitatorUrl);
  const proxy = await listen(options, (port) =>
    startProxy({
      ...{ config, facilitator, sales, log, port, host: options.host },
      ...{ secret, folder: bodies, now: Date.now, elapsed, receiptKey: signing, payPage },
    }),
  );
  session.closers.add(proxy);
  return { proxy, folder, signing };
}

/** A file's own receipts are judged when it is read. */
function requireReceipts({
  config,
  receipts,
  publicUrl,
  mcp,
  mcpHttp,
  protocols,
}: ProxyCommand): void {
  if (receipts !== true || config !== undefined) return;
  const why = whyNoReceipts({
    publicOrigin: publicUrl,
    mcp: mcp ?? mcpHttp,
    protocols: protocols?.split(','),
  });
  if (why !== undefined) throw new CliError('usage', why);
}

function requireOneSource({
  config,
  upstream,
  price,
  payTo,
  mcp,
  mcpHttp,
  tool,
  openapi,
}: ProxyCommand): void {
  const server = mcp ?? mcpHttp;
  if (config !== undefined && (server ?? tool) !== undefined) {
    throw new CliError(
      'usage',
      'With --config, the file names the MCP server and its tools. Omit them.',
    );
  }
  if (server !== undefined && (upstream ?? openapi ?? (mcp && mcpHttp)) !== undefined) {
    throw new CliError('usage', 'A proxy sells one API or one MCP server. Name only one.');
  }
  if (server !== undefined && payTo === undefined) {
    throw new CliError(
      'usage',
      'Name an address: svc-x402 proxy --mcp-http http://127.0.0.1:9000/mcp --price 0.01 --pay-to new.',
    );
  }
  if (
    config === undefined &&
    server === undefined &&
    (upstream === undefined || (price ?? openapi) === undefined || payTo === undefined)
  ) {
    throw new CliError(
      'usage',
      'Name the API, a price and an address: svc-x402 proxy http://127.0.0.1:3000 --price 0.01 --pay-to new. Or use --config FILE.',
    );
  }
  if (config !== undefined && (upstream ?? price ?? payTo ?? openapi) !== undefined) {
    throw new CliError(
      'usage',
      'With --config, the file names the API, the prices, the address and an OpenAPI document. Omit them.',
    );
  }
}

/** Operations of a configuration's document have a price of their own, or one in its routes. */
const UNPRICED: Unpriced = { price: undefined, settle: 'after' };

async function configIn(path: string): Promise<DocumentRoutes> {
  const read = readConfig(await textOf(path));
  if (!read.ok) throw new CliError('usage', describeProblems(path, read.problems));
  return withOpenApi(read.config, path, UNPRICED);
}

/** Replaces what options say in spite of the file. */
function withOptions(
  read: ProxyConfig,
  { protocols, receipts = read.receipts, page }: ProxyCommand,
): ProxyConfig {
  const config = { ...read, receipts, page: page ? read.page : undefined };
  if (protocols === undefined) return config;
  const named = protocols.split(',');
  return { ...config, protocols: PROTOCOL_NAMES.filter((name) => named.includes(name)) };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${path} cannot be read. Name another file with --config.`, {
      cause,
    });
  }
}

/** What is sold at which price: an API, by one price or by a document, or an MCP server. */
interface Plain extends Pick<ProxyConfig, 'upstream' | 'mcp' | 'otherwise'> {
  /** The operations of a document. */
  readonly described: DocumentRoutes<Documented> | undefined;
}

/**
 * What the options name.
 * @throws CliError if one of them, or the address, is malformed
 */
async function plainIn(options: ProxyCommand): Promise<Plain> {
  const { upstream = '', price, payTo = '', openapi, settle } = options;
  const mcp = mcpIn(options);
  if (mcp !== undefined) {
    if (payTo.trim() !== 'new') addressIn(payTo.trim());
    return { upstream: undefined, mcp, otherwise: 'closed', described: undefined };
  }
  const url = readUrl(upstream);
  const amount = price === undefined ? undefined : readAmount(price);
  if (url === undefined) {
    throw new CliError(
      'usage',
      `${upstream} is not the URL of an API. Use one such as http://127.0.0.1:3000.`,
    );
  }
  if (price !== undefined && amount === undefined) {
    throw new CliError('usage', `${price} is not a price. Use an amount in USDC such as 0.01.`);
  }
  if (payTo.trim() !== 'new') addressIn(payTo.trim());
  const fixed = amount === undefined ? undefined : ({ kind: 'fixed', amount } as const);
  if (openapi === undefined) {
    const otherwise = fixed === undefined ? 'closed' : plainTerms(fixed, { settle });
    return { upstream: url, mcp: undefined, otherwise, described: undefined };
  }
  const described = await withOpenApi({ upstream: url, openapi, routes: [] }, undefined, {
    ...{ price: fixed, settle },
  });
  if (described.config.routes.length === 0) {
    throw new CliError(
      'usage',
      `${openapi} has no operation with a price. Add x-payment-info to some, or one price for all with --price.`,
    );
  }
  return { upstream: url, mcp: undefined, otherwise: 'closed', described };
}

export function addressIn(text: string): StellarAddress {
  const address = parseStellarAddress(text);
  if (address !== undefined) return address;
  throw new CliError(
    'usage',
    `${text} is not a Stellar address. Use one that begins with G or C, or new.`,
  );
}

/** The configuration of a proxy whose options name what is sold. */
async function configOf(
  {
    payTo: given = '',
    publicUrl,
    unchecked = false,
  }: Pick<ProxyCommand, 'payTo' | 'publicUrl' | 'unchecked'>,
  { described, ...plain }: Plain,
  { report, folder }: Session,
): Promise<DocumentRoutes> {
  const payTo = addressIn(await checkedPayTo({ payTo: given, unchecked }, report, folder));
  const blank: ProxyConfig = {
    ...{ ...plain, payTo, facilitator: undefined, serviceName: undefined, routes: [] },
    openapi: undefined,
    publicOrigin: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    ...{ limits: DEFAULT_LIMITS, trustedHops: 0, protocols: PROTOCOL_NAMES },
    ...{ receipts: false, page: {} },
  };
  if (described === undefined) return { config: blank, unsold: [] };
  return { config: { ...blank, ...described.config }, unsold: described.unsold };
}

/** Returns the facilitator, and starts the local service if there is none. */
export async function facilitatorOf(
  session: Session,
  { facilitator }: Pick<ProxyCommand, 'facilitator'>,
  config: ProxyConfig | undefined,
): Promise<string> {
  const named =
    facilitator ?? config?.facilitator ?? (process.env['FACILITATOR_URL']?.trim() || undefined);
  if (named !== undefined) return named.replace(/\/+$/, '');
  const running = await runningService(session.folder);
  if (running?.facilitatorUrl) return running.facilitatorUrl;
  const { startLocalService } = await import('../localService.ts');
  session.report.say('No local service is running, so it is started here.', 'starting_service', {});
  const { facilitatorUrl, network, forOperator } = await startLocalService(session, {});
  await leaveServiceFile(session, { facilitatorUrl, network: network.service }, forOperator);
  return facilitatorUrl;
}

/** The public test network, for facilitators elsewhere. */
const TESTNET = {
  rpcUrl: 'https://soroban-testnet.stellar.org',
  horizonUrl: 'https://horizon-testnet.stellar.org',
  friendbotUrl: 'https://friendbot.stellar.org',
};

/** What pays in the page for people, on the network of the facilitator; `undefined` where the package was not built. */
async function payPageFor(
  { folder }: Session,
  facilitatorUrl: string,
): Promise<Parameters<typeof startProxy>[0]['payPage']> {
  const path = join(packageRoot().folder, 'dist', 'pay-page.js');
  const script = await readFile(path).catch(() => undefined);
  if (script === undefined) return undefined;
  const service = await anyService(folder);
  if (service === undefined || service.facilitatorUrl !== facilitatorUrl) {
    return { script, network: TESTNET };
  }
  const { rpcUrl, horizonUrl, friendbotUrl } = service.network;
  return {
    script,
    network: {
      rpcUrl,
      horizonUrl: horizonUrl ?? TESTNET.horizonUrl,
      friendbotUrl: friendbotUrl ?? TESTNET.friendbotUrl,
    },
  };
}

/** Returns the key of the signed headers: the environment's, or one that is made once. */
const secretIn = (folder: string): Promise<string> =>
  keptSecret(process.env['PROXY_SECRET'], folder, 'secret');

/**
 * Returns the key that signs offers and receipts: the environment's, or one that is made once.
 * @throws CliError if it is not one, or is the secret of the account that is paid, which can spend
 */
async function receiptKeyIn(folder: string, { payTo }: ProxyConfig): Promise<ReceiptKey> {
  const secret = await keptSecret(process.env['PROXY_RECEIPT_KEY'], folder, 'receipt-key');
  // Neither error repeats the text: it is a secret, or part of one.
  if (!/^[0-9a-f]{64}$/i.test(secret)) {
    throw new CliError(
      'usage',
      'The key of receipts has 64 hexadecimal characters. Make one with: openssl rand -hex 32.',
    );
  }
  const key = receiptKey(Buffer.from(secret, 'hex'));
  if (encodeStrKey('account', key.publicKey) !== payTo) return key;
  throw new CliError(
    'usage',
    'PROXY_RECEIPT_KEY is the secret of the account that is paid. Make another with: openssl rand -hex 32.',
  );
}

/** Returns a secret of the environment, or one that is made once in a file which only its owner reads. */
async function keptSecret(
  named: string | undefined,
  folder: string,
  name: string,
): Promise<string> {
  const given = named?.trim();
  if (given) return given;
  const path = join(folder, name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    const secret = randomBytes(32).toString('hex');
    await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  }
}

/** One folder for each API or MCP server, so that a restarted proxy finds its sales. */
function folderName({ upstream, mcp }: ProxyConfig): string {
  if (mcp?.upstream.kind === 'stdio') {
    const command = JSON.stringify(mcp.upstream.command);
    return `mcp-${createHash('sha256').update(command).digest('hex').slice(0, 16)}`;
  }
  const url = upstream ?? mcp?.upstream.url;
  if (url === undefined) throw new Error('nothing is sold');
  const { hostname, port, protocol } = url;
  return `${hostname}-${port === '' ? protocol.slice(0, -1) : port}`.replace(/[^\w.-]/g, '_');
}

async function listen(
  { port }: Pick<ProxyCommand, 'port'>,
  start: (port: number) => Promise<RunningProxy>,
): Promise<RunningProxy> {
  try {
    return await start(port ?? DEFAULT_PROXY_PORT);
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isBusy) throw error;
    if (port !== undefined)
      throw new CliError('usage', `Port ${port} is in use. Choose another with --port.`);
    return start(0);
  }
}

function priceWords(rule: Otherwise | undefined): string {
  if (rule === undefined) return 'free';
  if (typeof rule === 'string') return rule;
  return rule.price.kind === 'fixed'
    ? `${formatDecimalAmount(rule.price.amount)} USDC`
    : `up to ${formatDecimalAmount(rule.price.max)} USDC`;
}

function tell(
  { report }: Session,
  config: ProxyConfig,
  { url }: RunningProxy,
  facilitator: string,
  signing: ReceiptKey | undefined,
): void {
  const { mcp, payTo } = config;
  const sold = mcp === undefined ? soldRoutes(config) : soldTools(mcp);
  const upstream = mcp === undefined ? (config.upstream?.href ?? '') : serverName(mcp);
  const text = columns([
    ['proxy', mcp === undefined ? url : `${url}${mcp.path}`],
    [mcp === undefined ? 'API' : 'MCP server', upstream],
    ['paid to', payTo],
    ['paid by', mcp === undefined ? config.protocols.join(' or ') : 'x402'],
    ['facilitator', facilitator],
    ...(signing === undefined ? [] : [['signed by', didOf(signing)] as [string, string]]),
    ...sold,
  ]);
  const next =
    mcp === undefined
      ? `svc-x402 pay ${nextUrl(config, url)}`
      : `add ${url}${mcp.path} to an agent that pays, such as svc-x402 mcp --pay`;
  report.say(`\nSelling until Ctrl-C\n\n${text}\n\nNext: ${next}`, 'selling', {
    ...{ url: mcp === undefined ? url : `${url}${mcp.path}`, upstream, payTo, facilitator },
    ...(signing === undefined ? {} : { receiptKey: didOf(signing) }),
  });
}

/** The DID in a key's name. */
function didOf({ kid }: ReceiptKey): string {
  return kid.split('#')[0] ?? kid;
}

/** Something that can be bought: where only routes are sold, the first of them as it is written. */
function nextUrl({ routes, otherwise }: ProxyConfig, url: string): string {
  const first = routes.find(({ method, about }) => method === 'GET' && about !== undefined);
  const path = first?.text.slice(first.text.indexOf('/'));
  return typeof otherwise === 'string' && path !== undefined ? `'${url}${path}'` : `${url}/`;
}

/** Says which operations of a document are closed, so that nobody is surprised by a 404. */
function tellUnsold({ report }: Session, unsold: DocumentRoutes['unsold']): void {
  if (unsold.length === 0) return;
  const rows = columns(unsold.map(({ text, why }): [string, string] => [text, why]));
  report.say(`\nNot sold, and closed:\n\n${rows}`, 'unsold', { unsold });
}

function soldRoutes({ routes, otherwise }: ProxyConfig): readonly [string, string][] {
  return [
    ...routes.map(({ text, about }): [string, string] => [
      text,
      about === undefined ? 'free' : 'sold',
    ]),
    [routes.length === 0 ? 'every request' : 'other requests', priceWords(otherwise)],
  ];
}

function soldTools({ tools, otherwise }: McpConfig): readonly [string, string][] {
  return [
    ...[...tools].map(([name, terms]): [string, string] => [`tool ${name}`, priceWords(terms)]),
    [tools.size === 0 ? 'every tool' : 'other tools', priceWords(otherwise)],
  ];
}

function serverName({ upstream }: McpConfig): string {
  if (upstream.kind === 'http') return upstream.url.href;
  return typeof upstream.command === 'string' ? upstream.command : upstream.command.join(' ');
}

/** Reads the configuration again when it changes. One with problems changes nothing. */
function watch(
  { report, closers }: Session,
  options: ProxyCommand,
  path: string,
  folder: string,
  proxy: RunningProxy,
): void {
  let last: string | undefined;
  const look = async (): Promise<void> => {
    const text = await textOf(path);
    if (text === last) return;
    last = text;
    const read = readConfig(text);
    if (!read.ok) {
      report.say(
        `${describeProblems(path, read.problems)}\nThe earlier configuration stays.`,
        'not_reloaded',
        { problems: read.problems },
      );
      return;
    }
    const { config: described } = await withOpenApi(read.config, path, UNPRICED);
    const config = withOptions(described, options);
    const why = config.receipts ? whyNoReceipts(config) : undefined;
    if (why !== undefined) {
      report.say(`${why} The earlier configuration stays.`, 'not_reloaded', {});
      return;
    }
    proxy.reload(config, config.receipts ? await receiptKeyIn(folder, config) : undefined);
    report.say(`${path} was read again.`, 'reloaded', {});
  };
  const changed = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) {
      look().catch((error: Error) => report.say(error.message, 'not_reloaded', {}));
    }
  };
  watchFile(path, { interval: LOOK_MS }, changed);
  closers.add({ close: () => unwatchFile(path, changed) });
}
