import { randomBytes } from 'node:crypto';
import { type Stats, unwatchFile, watchFile } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectFacilitator } from '../../handlers/facilitator/index.ts';
import { makeFolder } from '../../machine/index.ts';
import {
  type AtomicAmount,
  formatDecimalAmount,
  parseStellarAddress,
  type StellarAddress,
} from '../../protocol/index.ts';
import {
  DEFAULT_LIMITS,
  type Documented,
  type DocumentRoutes,
  openSales,
  PROTOCOL_NAMES,
  type ProxyConfig,
  plainTerms,
  type RunningProxy,
  readAmount,
  readConfig,
  readUrl,
  startProxy,
} from '../../proxy/index.ts';
import { openStore } from '../../server/store/index.ts';
import { leaveServiceFile } from '../announce.ts';
import { CliError } from '../cliError.ts';
import { checkedPayTo } from '../code/payTo.ts';
import type { ProxyCommand } from '../commandOptions.ts';
import { DEFAULT_PROXY_PORT } from '../optionValues.ts';
import { columns } from '../report.ts';
import { runningService } from '../serviceFile.ts';
import { inSession, type Session } from '../session.ts';
import { describeProblems, type Unpriced, withOpenApi } from './openApiDocument.ts';

/** How often a configuration is looked at for changes. */
const LOOK_MS = 500;

/** `svc-x402 proxy`: sells what an HTTP API serves, until Ctrl-C. */
export function runProxy(options: ProxyCommand): Promise<void> {
  return inSession(options, async (session) => {
    requireOneSource(options);
    // Before the local service is started: a mistake should not leave one behind.
    const asked = options.config === undefined ? undefined : await configIn(options.config);
    const plain = asked === undefined ? await plainIn(options) : undefined;
    const facilitatorUrl = await facilitatorOf(session, options, asked?.config);
    const { config: read, unsold } =
      asked ?? (await configOf(options, plain ?? (await plainIn(options)), session));
    const config = withOptions(read, options);
    const folder = join(session.folder, 'proxy', folderName(config.upstream));
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
    const proxy = await listen(options, (port) =>
      startProxy({
        ...{ config, facilitator, sales, log, port, host: options.host },
        ...{ secret, folder: bodies, now: Date.now, elapsed },
      }),
    );
    session.closers.add(proxy);
    tell(session, config, proxy, facilitatorUrl);
    tellUnsold(session, unsold);
    if (options.config !== undefined) watch(session, options, options.config, proxy);
    await session.stopped;
  });
}

function requireOneSource({ config, upstream, price, payTo, openapi }: ProxyCommand): void {
  if (
    config === undefined &&
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
function withOptions(config: ProxyConfig, { protocols }: ProxyCommand): ProxyConfig {
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

interface Plain {
  readonly url: URL;
  /** `undefined`: an OpenAPI document has the prices. */
  readonly amount: AtomicAmount | undefined;
  /** The operations of a document. */
  readonly described: DocumentRoutes<Documented> | undefined;
}

/**
 * The API, the price and the document that the options name.
 * @throws CliError if one of them, or the address, is malformed
 */
async function plainIn(options: ProxyCommand): Promise<Plain> {
  const { upstream = '', price, payTo = '', openapi, settle } = options;
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
  if (openapi === undefined) return { url, amount, described: undefined };
  const fixed = amount === undefined ? undefined : ({ kind: 'fixed', amount } as const);
  const described = await withOpenApi({ upstream: url, openapi, routes: [] }, undefined, {
    ...{ price: fixed, settle },
  });
  if (described.config.routes.length === 0) {
    throw new CliError(
      'usage',
      `${openapi} has no operation with a price. Add x-payment-info to some, or one price for all with --price.`,
    );
  }
  return { url, amount, described };
}

function addressIn(text: string): StellarAddress {
  const address = parseStellarAddress(text);
  if (address !== undefined) return address;
  throw new CliError(
    'usage',
    `${text} is not a Stellar address. Use one that begins with G or C, or new.`,
  );
}

/** The configuration of a proxy whose options name what is sold. */
async function configOf(
  options: ProxyCommand,
  { url, amount, described }: Plain,
  { report, folder }: Session,
): Promise<DocumentRoutes> {
  const { payTo: given = '', settle, unchecked = false } = options;
  const payTo = addressIn(await checkedPayTo({ payTo: given, unchecked }, report, folder));
  if (described !== undefined) {
    const { config, unsold } = described;
    return { config: { ...blankConfig(url, options, payTo), ...config }, unsold };
  }
  const otherwise: ProxyConfig['otherwise'] =
    amount === undefined ? 'closed' : plainTerms({ kind: 'fixed', amount }, { settle });
  return { config: { ...blankConfig(url, options, payTo), otherwise }, unsold: [] };
}

/** A configuration without anything that is sold. */
function blankConfig(
  upstream: URL,
  { publicUrl }: ProxyCommand,
  payTo: StellarAddress,
): ProxyConfig {
  return {
    ...{ upstream, payTo, facilitator: undefined, serviceName: undefined, routes: [] },
    ...{ openapi: undefined, otherwise: 'closed' },
    publicOrigin: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    ...{ limits: DEFAULT_LIMITS, trustedHops: 0, protocols: PROTOCOL_NAMES },
  };
}

/** Returns the facilitator, and starts the local service if there is none. */
async function facilitatorOf(
  session: Session,
  { facilitator }: ProxyCommand,
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

/** Returns the key of the signed headers: the environment's, or one that is made once. */
async function secretIn(folder: string): Promise<string> {
  const given = process.env['PROXY_SECRET']?.trim();
  if (given) return given;
  const path = join(folder, 'secret');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    const secret = randomBytes(32).toString('hex');
    await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  }
}

/** One folder for each API, so that a restarted proxy finds its sales. */
function folderName({ hostname, port, protocol }: URL): string {
  return `${hostname}-${port === '' ? protocol.slice(0, -1) : port}`.replace(/[^\w.-]/g, '_');
}

async function listen(
  { port }: ProxyCommand,
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

function tell(
  { report }: Session,
  config: ProxyConfig,
  { url }: RunningProxy,
  facilitator: string,
): void {
  const { otherwise } = config;
  const rest =
    typeof otherwise === 'string'
      ? otherwise
      : otherwise.price.kind === 'fixed'
        ? `${formatDecimalAmount(otherwise.price.amount)} USDC`
        : `up to ${formatDecimalAmount(otherwise.price.max)} USDC`;
  const routes = config.routes.map(({ text, about }): [string, string] => [
    text,
    about === undefined ? 'free' : 'sold',
  ]);
  const text = columns([
    ['proxy', url],
    ['API', config.upstream.href],
    ['paid to', config.payTo],
    ['paid by', config.protocols.join(' or ')],
    ['facilitator', facilitator],
    ...routes,
    [routes.length === 0 ? 'every request' : 'other requests', rest],
  ]);
  report.say(`\nSelling until Ctrl-C\n\n${text}\n\nNext: svc-x402 pay ${url}/`, 'selling', {
    ...{ url, upstream: config.upstream.href, payTo: config.payTo, facilitator },
  });
}

/** Says which operations of a document are closed, so that nobody is surprised by a 404. */
function tellUnsold({ report }: Session, unsold: DocumentRoutes['unsold']): void {
  if (unsold.length === 0) return;
  const rows = columns(unsold.map(({ text, why }): [string, string] => [text, why]));
  report.say(`\nNot sold, and closed:\n\n${rows}`, 'unsold', { unsold });
}

/** Reads the configuration again when it changes. One with problems changes nothing. */
function watch(
  { report, closers }: Session,
  options: ProxyCommand,
  path: string,
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
    const { config } = await withOpenApi(read.config, path, UNPRICED);
    proxy.reload(withOptions(config, options));
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
