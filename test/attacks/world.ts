import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeHeaderMessage } from '../../src/protocol/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { extensionResponsesSchema } from '../../src/protocol/wire/index.ts';
import { CONFIG_DEFAULTS } from '../../src/server/config.ts';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import type { Logger } from '../../src/server/logger.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import {
  balancesOf,
  buyUsdc,
  openAccount,
  openPayer,
  openSeller,
  submit,
  trustUsdc,
} from '../support/accounts.ts';
import { type CatalogPaymentParts, catalogPayment } from '../support/catalogPayment.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { type FreshParts, freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import {
  challengeFor,
  PUBLIC_ADDRESS,
  startTlsSeller,
  type TlsSeller,
} from '../support/tlsSeller.ts';
import type { Facts } from './attack.ts';
import { HostileBrowser } from './chromium.ts';
import { BUYERS, SELLER } from './honest.ts';
import type { Watched } from './runAttacks.ts';
import { openStrangers } from './strangers.ts';
import { Target } from './target.ts';
import { VICTIM_URL } from './victim.ts';
import { type Answered, WIRE, type Wire } from './wire.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-attack-suite-0123456789';
const PASSKEY_TOKEN = 'passkey-token-of-the-attack-suite-0123456789';

/** Requests a minute that the limited facilitators take. */
export const LIMIT = 10;
/** The same of a service that honest buyers use: each pays once a second. */
const CROWD_LIMIT = 240;

/** USDC of an honest buyer, in atomic units. */
const MONEY = 100_000_000n;

/** Hosts of sellers and what their names resolve to. Others resolve to nothing. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'api.victim.dev': [PUBLIC_ADDRESS],
  'api.squatter.dev': [PUBLIC_ADDRESS],
  'redirects.dev': [PUBLIC_ADDRESS],
  'endless.dev': [PUBLIC_ADDRESS],
  'switches.dev': [PUBLIC_ADDRESS],
  'fat.dev': [PUBLIC_ADDRESS],
  'mixed.dev': [PUBLIC_ADDRESS, '127.0.0.1'],
  'mixed-six.dev': [PUBLIC_ADDRESS, '::ffff:10.0.0.1'],
  'inner.dev': ['169.254.169.254'],
};

export interface WorldOptions {
  /**
   * Whether honest buyers pay meanwhile: the network closes a ledger a second, and the service, behind a proxy, has limits of
   * requests and enforces those of spending. Strangers then send from a process of their own.
   */
  readonly isCrowded?: boolean;
}

/** A service as strangers share it. No limit is below what two buyers need who pay once a second. */
const CROWDED: Partial<FacilitatorOptions> = {
  rateLimitPerMinute: CROWD_LIMIT,
  trustedProxyHops: 1,
  spendControls: {
    ...CONFIG_DEFAULTS.spendControls,
    enforced: true,
    payToPerMinute: CROWD_LIMIT,
    urlPerMinute: CROWD_LIMIT,
    clientFeesPerMinuteStroops: 100_000_000n,
  },
};

/** The service with everything around it: a network, a seller with a listing, strangers with money of their own. */
export class World extends Target implements Watched {
  readonly local: LocalNetwork;
  readonly database: Database;
  readonly seller: TlsSeller;
  /** The seller whose listing is to be taken. */
  readonly victim: TestKey;
  readonly stranger: TestKey;
  /** Somebody who pays, and the seller who is paid. */
  readonly buyer: TestKey;
  readonly payee: TestKey;
  /** Between the service and its network. */
  readonly rpc: FaultyRpc;
  /** Requests a minute that `proxied` takes of a client. */
  readonly limit: number;
  /** A facilitator that takes `LIMIT` requests a minute, and one that does so behind a proxy. */
  readonly limited: Target;
  readonly proxied: Target;
  /** Another instance on the same network, with a store of its own; it deploys policies without a proof. */
  readonly other: Target;
  /** A server of this machine that no stranger may have asked. */
  readonly innerUrl: string;
  /** A folder of the user that no project may change. */
  readonly outside: string;
  readonly #hits: string[];
  readonly #rejections: unknown[];
  readonly #closers: (() => Promise<unknown> | unknown)[];

  private constructor(parts: {
    target: ConstructorParameters<typeof Target>[0];
    wire: Wire;
    local: LocalNetwork;
    database: Database;
    seller: TlsSeller;
    victim: TestKey;
    stranger: TestKey;
    buyer: TestKey;
    payee: TestKey;
    rpc: FaultyRpc;
    limit: number;
    limited: string;
    proxied: string;
    other: string;
    innerUrl: string;
    outside: string;
    hits: string[];
    rejections: unknown[];
    closers: (() => Promise<unknown> | unknown)[];
  }) {
    super(parts.target, parts.wire);
    this.local = parts.local;
    this.database = parts.database;
    this.seller = parts.seller;
    this.victim = parts.victim;
    this.stranger = parts.stranger;
    this.buyer = parts.buyer;
    this.payee = parts.payee;
    this.rpc = parts.rpc;
    this.limit = parts.limit;
    const at = (facilitator: string) => new Target({ ...parts.target, facilitator }, parts.wire);
    this.limited = at(parts.limited);
    this.proxied = at(parts.proxied);
    this.other = at(parts.other);
    this.innerUrl = parts.innerUrl;
    this.outside = parts.outside;
    this.#hits = parts.hits;
    this.#rejections = parts.rejections;
    this.#closers = parts.closers;
  }

  static async open({ isCrowded = false }: WorldOptions = {}): Promise<World> {
    const closers: (() => Promise<unknown> | unknown)[] = [];
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    closers.push(() => process.off('unhandledRejection', note));

    const local = await startLocalNetwork({
      seed: 'attacks',
      ...(isCrowded && { close: { kind: 'interval', milliseconds: 1_000 } }),
    });
    closers.push(() => local.close());
    const rpc = await startFaultyRpc(local.rpcUrl);
    closers.push(() => rpc.close());
    const hits: string[] = [];
    const inner = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.end('inner');
    });
    const innerUrl = await listen(inner);
    closers.push(() => inner.close());
    const [victim, stranger, buyer, payee] = await Promise.all([
      openSeller(local),
      openPayer(local),
      openHonest(local, BUYERS[0], MONEY),
      openHonest(local, SELLER, 0n),
      ...BUYERS.slice(1).map((name) => openHonest(local, name, MONEY)),
    ]);
    const seller = await startTlsSeller(behave(innerUrl, victim.address), {
      host: 'api.victim.dev',
      names: Object.keys(NAMES),
    });
    closers.push(() => seller.close());

    const log: string[] = [];
    const database = await openStore({ databaseUrl: null, dataFolder: null });
    const options = { ...facilitatorOptions(local), logger: keeping(log) };
    const start = async (more: Partial<Parameters<typeof startFacilitator>[0]>) => {
      const started: RunningFacilitator = await startFacilitator({ ...options, ...more });
      closers.push(() => started.close());
      return started.url;
    };
    const facilitator = await start({
      ...(isCrowded && CROWDED),
      rpcUrl: rpc.url,
      database,
      loopbackNamesOnly: true,
      operatorToken: OPERATOR_TOKEN,
      passkeyToken: PASSKEY_TOKEN,
      uptoContractId: local.ledger.contracts.upto,
      ownershipFetch: {
        ...seller.fetch,
        resolve: async (host) => NAMES[host] ?? [],
      },
    });
    const outside = mkdtempSync(join(tmpdir(), 'attacks-outside-'));
    writeFileSync(join(outside, 'app.ts'), 'export const secret = 1;\n');
    mkdirSync(join(outside, 'home'));
    closers.push(() => rmSync(outside, { recursive: true, force: true }));

    const strangers = isCrowded ? await openStrangers() : undefined;
    closers.push(() => strangers?.close());
    const { sponsor, channels } = local.ledger.accounts;
    const { urls } = local.ledger;
    if (urls === null) throw new Error('the network has no port');
    const world = new World({
      target: {
        facilitator,
        ledger: urls.http,
        operatorToken: OPERATOR_TOKEN,
        passkeyToken: PASSKEY_TOKEN,
        secrets: [sponsor.secret, ...channels.map(({ secret }) => secret)],
      },
      wire: strangers?.wire ?? WIRE,
      local,
      database,
      seller,
      victim,
      stranger,
      buyer,
      payee,
      rpc,
      limit: isCrowded ? CROWD_LIMIT : LIMIT,
      limited: await start({ rateLimitPerMinute: LIMIT }),
      proxied: isCrowded
        ? facilitator
        : await start({ rateLimitPerMinute: LIMIT, trustedProxyHops: 1 }),
      other: await start({ policyProofRequired: false }),
      innerUrl,
      outside,
      hits,
      rejections,
      closers,
    });
    closers.push(() => log.splice(0));
    world.#log = log;
    await world.schemasJudged();
    const listed = await world.pay(stranger, victim, { url: VICTIM_URL });
    if (listed !== 'cataloged') throw new Error(`the victim's listing: ${listed}`);
    await world.settled();
    return world;
  }

  #log: string[] = [];
  #browser: HostileBrowser | undefined;
  #clients = 0;

  /** Headers of a client that the service has not seen before, where a proxy forwards its requests. */
  newClient(): Readonly<Record<string, string>> {
    this.#clients += 1;
    const [high, low] = [this.#clients >> 8, this.#clients & 255];
    return { 'x-forwarded-for': `198.18.${high & 255}.${low}` };
  }

  /** Pays for a declared resource through `/settle`, and returns what the catalog did. */
  async pay(payer: TestKey, payTo: TestKey, parts: CatalogPaymentParts): Promise<string> {
    const request = await this.payment(payer, payTo);
    Object.assign(request.paymentPayload, catalogPayment(parts).declared);
    const answered = await this.post('/settle', request, this.newClient());
    const { success, reason } = JSON.parse(answered.text) as { success: boolean; reason?: string };
    if (!success) return `not settled: ${reason}`;
    return catalogOutcome(answered);
  }

  /** A payment that settles, except for the faults in `parts`. */
  payment(payer: TestKey, payTo: TestKey, parts: FreshParts = {}): Promise<FacilitatorRequest> {
    return freshPayment(this.local, payer, payTo, parts);
  }

  /**
   * Resolves when the thread that judges schemas answers in its time. From the sources it begins with a compiler, which
   * takes seconds on a busy machine, and what it refuses meanwhile stays refused for a while.
   */
  async schemasJudged(): Promise<void> {
    for (let n = 0; n < 20; n++) {
      const input = { type: 'http', method: 'GET', queryParams: {} };
      const schema = { type: 'object', title: `warm ${n}` };
      const { text } = await this.post('/discovery/validate', {
        resource: { url: VICTIM_URL },
        extensions: { bazaar: { info: { input }, schema } },
      });
      const { rules } = JSON.parse(text) as { rules: { rule: string; outcome: string }[] };
      if (rules.some(({ rule, outcome }) => rule === 'schema_cost' && outcome === 'passed')) return;
    }
    throw new Error('no schema is judged in time');
  }

  /** Resolves when no ownership check waits any more. */
  async settled(): Promise<void> {
    for (;;) {
      const { text } = await this.service({ path: '/health' });
      const { reverifyPending } = JSON.parse(text) as { reverifyPending: number };
      if (reverifyPending === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async facts(): Promise<Facts> {
    await this.settled();
    const count = async (sql: string): Promise<string> => {
      const [row] = await this.database.all<{ count: number }>(sql);
      return `${row?.count}`;
    };
    const listed = await this.service({ path: '/discovery/resources?limit=100' });
    const { sponsor } = this.local.ledger.accounts;
    const { text: latest } = await this.network({ path: '/transactions?order=desc&limit=1' });
    // Members that a body could have put on the prototypes of everything.
    const polluted = Object.keys(Object.prototype).length + Object.keys(Array.prototype).length;
    return {
      catalog: digest(listed.text),
      settlements: await count('SELECT COUNT(*) AS count FROM settlements'),
      policies: await count('SELECT COUNT(*) AS count FROM policies'),
      ledger: digest(latest),
      sponsor: `${(await balancesOf(this.local, sponsor.address)).xlm}`,
      files: filesBelow(this.outside),
      'inner network': `${this.#hits.length} ${this.seller.dialled.filter((at) => !at.startsWith(PUBLIC_ADDRESS)).join(' ')}`,
      process: `${this.#rejections.length} rejections, ${polluted} members on prototypes`,
    };
  }

  /** A browser with pages of an attacker's; opened when the first attack needs it. */
  async browser(): Promise<HostileBrowser> {
    if (this.#browser === undefined) {
      const opened = await HostileBrowser.open();
      this.#browser = opened;
      this.#closers.push(() => opened.close());
      // Pages have to reach what is open to them; otherwise the refusals prove nothing.
      const url = JSON.stringify(this.parts.ledger);
      const read = await opened.script(`return String((await fetch(${url})).status);`);
      if (read !== '200') throw new Error(`the page of the browser reaches nothing: ${read}`);
    }
    return this.#browser;
  }

  /** The lines of the log since the last attack, as an operator's file has them. */
  lines(): readonly string[] {
    return [...this.#log];
  }

  override leaks(): readonly string[] {
    // Stacks belong in an operator's log, but a stranger's input must not cause faults of the service.
    for (const line of this.#log.splice(0)) this.see(line);
    const targets = [this.limited, this.proxied, this.other];
    return [...super.leaks(), ...targets.flatMap((target) => target.leaks())];
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }
}

/** What `extension-responses` says of the catalog: `cataloged`, or the reason why not. */
export function catalogOutcome({ headers }: Answered): string {
  const header = decodeHeaderMessage(String(headers['extension-responses'] ?? ''));
  const { bazaar } = extensionResponsesSchema.parse(header);
  if (bazaar === undefined) return 'no answer of the catalog';
  return bazaar.status === 'rejected' ? bazaar.reason : 'cataloged';
}

/** Sellers by their name: one is honest, the others try to lead the service elsewhere. */
function behave(innerUrl: string, payTo: string): Parameters<typeof startTlsSeller>[0] {
  return (request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    switch (host) {
      case 'redirects.dev':
        response.writeHead(302, { location: `${innerUrl}/admin` }).end();
        return;
      case 'endless.dev':
        return;
      case 'switches.dev':
        response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end();
        return;
      case 'fat.dev':
        response.writeHead(402, { 'payment-required': 'A'.repeat(70_000) }).end();
        return;
      default:
        response.writeHead(402, { 'payment-required': challengeFor(payTo) }).end();
    }
  };
}

/** Opens an account with a name, which another process can sign for. @param amount atomic units of USDC */
async function openHonest(local: LocalNetwork, name: string, amount: bigint): Promise<TestKey> {
  const account = await openAccount(local, name);
  const buys = amount > 0n ? [buyUsdc(local, account, amount)] : [];
  await submit(local, account, [trustUsdc(local), ...buys]);
  return account;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Names and contents of the files below a folder. */
function filesBelow(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return digest(files.map((name) => `${name} ${digest(readFileSync(name, 'latin1'))}`).join('\n'));
}

/** A logger that keeps its lines as an operator's file has them. */
function keeping(lines: string[]): Logger {
  const write = (fields: object, message: string): void => {
    lines.push(
      JSON.stringify({ ...fields, message }, (_, value: unknown) =>
        value instanceof Error ? `${value.stack}` : typeof value === 'bigint' ? `${value}` : value,
      ),
    );
  };
  return { debug: write, info: write, warn: write, error: write };
}
