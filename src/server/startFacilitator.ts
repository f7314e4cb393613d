import { isLoopbackAddress, isLoopbackHost } from '../machine/index.ts';
import { NETWORK_RESET_WORDS } from '../protocol/index.ts';
import type { Readiness } from '../protocol/wire/index.ts';
import { limitKeyOf } from './apiKeys.ts';
import { assertTestnet } from './assertTestnet.ts';
import { type OwnershipFetch, openCatalog } from './catalog/index.ts';
import { type Clock, systemClock } from './clock.ts';
import { CONFIG_DEFAULTS, type FacilitatorConfig, type SigningSecrets } from './config.ts';
import { ConfigError } from './configError.ts';
import { dangerousSettings } from './dangerousSettings.ts';
import {
  Draining,
  type Facilitator,
  type IdentifiedNetwork,
  identifyNetwork,
  openFacilitator,
  warmUp,
} from './facilitator/index.ts';
import { createApp, createOperatorApp } from './http/createApp.ts';
import { type Listening, listen } from './http/listen.ts';
import type { OpenMcp } from './http/mcp/index.ts';
import {
  type Activity,
  createActivity,
  createRpcCalls,
  isFromThisMachine,
  type RpcCalls,
} from './http/operator/index.ts';
import {
  clientName,
  createRateLimiter,
  createSharedRateLimiter,
  type RateLimiter,
} from './http/rateLimit/index.ts';
import { type Handler, type Operations, waitingApp, withOperations } from './http/waitingApp.ts';
import { type Logger, silentLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { connectNetwork, RpcError, type StellarNetwork } from './network/index.ts';
import { openPolicies } from './policies/index.ts';
import { NotYetError, refundAfterReset, schemesAfterReset } from './refund.ts';
import { openCatalogSearch } from './search/index.ts';
import { searchIndexFile } from './searchIndexFile.ts';
import { readSearchWords } from './searchWords.ts';
import { setApart } from './setApart.ts';
import { openSigners, type Signers } from './settlement/index.ts';
import { createRateCounter, type Database, openStore, StoreError } from './store/index.ts';
import { NO_TRACING, type Tracing } from './tracing/tracing.ts';

/** The network's URL and the signing secrets are required; the rest has defaults (`CONFIG_DEFAULTS`). */
export type FacilitatorOptions = Pick<FacilitatorConfig, 'rpcUrl'> &
  SigningSecrets &
  Partial<FacilitatorConfig> & {
    readonly logger?: Logger;
    readonly clock?: Clock;
    /** The store to use instead of the configured one. Closed with the service. */
    readonly database?: Database;
    /** How the ownership check connects to sellers; tests supply a resolver and a trust anchor. */
    readonly ownershipFetch?: OwnershipFetch;
    /** Only on the embedded network: whether sellers on this machine are checked and the result is returned. */
    readonly checksLocalSellers?: boolean;
    /**
     * Whether a caller that lets the sponsor pay for a policy's contract must prove that it controls the
     * wallet. Not on the embedded network, where anyone gets money from friendbot.
     */
    readonly policyProofRequired?: boolean;
    /**
     * Secret of the programs that may request passkeys on this machine; with it, the service has a page for
     * that. For services on loopback: the page answers only at `localhost`.
     */
    readonly passkeyToken?: string | undefined;
    /** Opens the tools for agents at `/mcp`; if undefined, the route does not exist. */
    readonly openMcp?: OpenMcp | undefined;
    /** The operator's secret, which allows changes to the catalog (`svc-x402 catalog`). */
    readonly operatorToken?: string | undefined;
  };

export interface RunningFacilitator {
  /** Base URL without a trailing slash, for `HTTPFacilitatorClient`. */
  readonly url: string;
  readonly port: number;
  /** Base URL of metrics and the operator's routes, if they have a port of their own. */
  readonly operatorUrl: string | undefined;
  /** Resolves when the service could serve for the first time. */
  readonly opened: Promise<void>;
  /** Rejects with a ConfigError if an attempt after the first one shows that the settings are wrong. Never resolves. */
  readonly failed: Promise<never>;
  /** Stops listening, answers requests in flight, closes connections. */
  close(): Promise<void>;
}

/** The first answer comes before what only the first payment would wait for. */
const WARM_UP_AFTER_MS = 30;

/** Problems of an embedded store that may pass while the service runs without it. */
const MAY_THAW: ReadonlySet<string> = new Set(['full', 'read_only']);

/** Whether a failure to open the service may pass without another setting. */
function mayPass(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'unreachable' || error.code === 'full';
  return error instanceof RpcError || error instanceof NotYetError;
}

/** Opens the configured store. @throws ConfigError if it cannot be used; StoreError if that may pass */
async function openConfiguredStore(config: FacilitatorConfig): Promise<Database> {
  try {
    return await openStore(config);
  } catch (error) {
    if (!(error instanceof StoreError) || mayPass(error)) throw error;
    const where = config.databaseUrl === null ? `in ${config.dataFolder}` : 'of DATABASE_URL';
    throw new ConfigError([
      `The store ${where} cannot be opened: ${error.message.replace(/\.$/, '')}.`,
    ]);
  }
}

/** Opens the request limit: of this process, or of all that share a PostgreSQL store. */
function openRateLimiter(
  { rateLimitPerMinute }: Pick<FacilitatorConfig, 'rateLimitPerMinute'>,
  database: Database,
  clock: Clock,
  logger: Logger,
): RateLimiter | undefined {
  if (rateLimitPerMinute === 0) return undefined;
  const alone = createRateLimiter(rateLimitPerMinute, clock);
  if (database.dialect === 'sqlite') return alone;
  return createSharedRateLimiter(
    rateLimitPerMinute,
    createRateCounter(database),
    clock,
    alone,
    (error) => logger.warn({ err: error }, 'requests are counted by this instance alone'),
  );
}

/** Opens the limits of API keys that have one of their own, by the keys' names. */
function openKeyLimiters(
  { apiKeys }: FacilitatorConfig,
  database: Database,
  clock: Clock,
  logger: Logger,
): ReadonlyMap<string, RateLimiter> {
  const limiters = new Map<string, RateLimiter>();
  for (const { name, requestsPerMinute: rateLimitPerMinute } of apiKeys) {
    if (rateLimitPerMinute === null) continue;
    const limiter = openRateLimiter({ rateLimitPerMinute }, database, clock, logger);
    if (limiter !== undefined) limiters.set(name, limiter);
  }
  return limiters;
}

/** Returns the budgets of API keys by the names under which their spending is counted. */
function budgetsOf({ apiKeys }: FacilitatorConfig): ReadonlyMap<string, bigint> {
  const budgets = new Map<string, bigint>();
  for (const key of apiKeys) {
    if (key.feesPerDayStroops !== null) {
      budgets.set(clientName(limitKeyOf(key)), key.feesPerDayStroops);
    }
  }
  return budgets;
}

/** Returns where the search keeps its index: beside the store's file, if the service has one of its own. */
function keptIn({ databaseUrl, dataFolder }: FacilitatorConfig, { database }: FacilitatorOptions) {
  if (database !== undefined || databaseUrl !== null || dataFolder === null) return {};
  return { indexFile: searchIndexFile(dataFolder) };
}

/** Opens traces, whose library is loaded only if there is a collector. */
async function openTraces({ traces }: FacilitatorConfig): Promise<Tracing> {
  if (traces === null) return NO_TRACING;
  const { openTracing } = await import('./openTracing.ts');
  return openTracing(traces.endpoint, traces.serviceName);
}

/** What a generation of the service is opened with. */
interface Surroundings {
  readonly config: FacilitatorConfig;
  readonly options: FacilitatorOptions;
  readonly signers: Signers;
  readonly network: StellarNetwork;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly rpcCalls: RpcCalls;
  readonly tracing: Tracing;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly closing: () => boolean;
  readonly onReset: () => void;
  readonly draining: Draining;
  readonly activity: Activity;
  /** What earlier generations have not answered yet. */
  readonly leaving: () => number;
}

/** Everything that is opened again after a reset of the network: catalog, facilitator, policies, routes. */
interface Generation {
  readonly fetch: Handler;
  /** Answers on the operator's own port. */
  readonly operatorFetch: Handler;
  readonly sponsor: string;
  /** How many requests and recovered settlements it handles. */
  inFlight(): number;
  /** Resolves when everything in flight has been answered. */
  stop(): Promise<void>;
  /** To be called after `stop`. */
  close(): Promise<void>;
}

/** @throws ConfigError, or what may pass: RpcError, StoreError, NotYetError */
async function openGeneration(around: Surroundings): Promise<Generation> {
  const { options, signers, network, database, metrics, rpcCalls, logger, clock } = around;
  let { config } = around;
  const { ownershipFetch = {}, policyProofRequired = true } = options;
  const { passkeyToken, openMcp, operatorToken } = options;
  let identified: IdentifiedNetwork | undefined;
  assertTestnet((await network.getNetwork()).passphrase);
  if (database.frozen === undefined) {
    identified = await identifyNetwork(database, signers.sponsor, network, clock, setApart);
    if (identified.wasReset) {
      logger.error({ network: identified.id }, `${NETWORK_RESET_WORDS} ${SET_APART_WORDS}`);
    }
    if (identified.id > 1) {
      await refundAfterReset(config, signers, network, clock, logger);
      config = await schemesAfterReset(config, network, logger);
    }
  } else {
    const { code, message } = database.frozen;
    logger.error({ reason: code }, `the store is frozen: ${message}`);
  }
  const search = await openCatalogSearch({
    database,
    embeddings: config.embeddings,
    readWords: readSearchWords,
    ...keptIn(config, options),
    fetch,
    clock,
    logger,
  });
  const catalog = openCatalog({
    database,
    search,
    clock,
    logger,
    ownershipFetch,
    checksLocalSellers: options.checksLocalSellers ?? false,
    schemes: config.uptoContractId === null ? ['exact'] : ['exact', 'upto'],
  });
  let facilitator: Facilitator;
  try {
    facilitator = await openFacilitator(config, {
      signers,
      network,
      clock,
      logger,
      database,
      catalog,
      onSpendRefusal: metrics.spendRefusal,
      onReset: around.onReset,
      draining: around.draining,
      budgets: budgetsOf(config),
      identified: identified ?? { known: undefined, id: 1, wasReset: false },
    });
  } catch (error) {
    await catalog.close();
    throw error;
  }
  metrics.watch(() => facilitator.health());
  const policies = openPolicies({
    network,
    clock,
    logger,
    database,
    signer: signers.sponsor,
    config: { ...config, policyProofRequired },
  });
  const parts = {
    ...config,
    facilitator,
    catalog,
    policies,
    passkeyToken,
    openMcp,
    operatorToken,
    logger,
    metrics,
    rateLimiter: openRateLimiter(config, database, clock, logger),
    keyLimiters: openKeyLimiters(config, database, clock, logger),
    closing: around.closing,
    activity: around.activity,
    draining: around.draining,
    inFlight: () => facilitator.inFlight + around.leaving(),
    rpcCalls,
    tracing: around.tracing,
    hasOperatorPort: config.operatorPort !== null,
  };
  const sponsor = signers.sponsor.address;
  const warming = setTimeout(() => {
    warmUp(network, sponsor).catch((error) => {
      logger.debug({ err: error }, 'the first payment finds nothing prepared');
    });
  }, WARM_UP_AFTER_MS).unref();
  return {
    fetch: createApp(parts).fetch,
    operatorFetch: createOperatorApp(parts, isLoopbackAddress(config.operatorHost)).fetch,
    sponsor,
    inFlight: () => facilitator.inFlight,
    async stop() {
      clearTimeout(warming);
      await Promise.all([facilitator.stop(), policies.stop()]);
    },
    close: () => catalog.close(),
  };
}

/** What is done with the rows of the old network, beside `NETWORK_RESET_WORDS`. */
const SET_APART_WORDS =
  'Its catalog entries and policies are kept apart, and its open settlements end undecided.';

/** Pauses between attempts to open the service, in milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Opens the service, and opens it again when it has to be: see `startFacilitator`. */
class Service {
  readonly #config: FacilitatorConfig;
  readonly #options: FacilitatorOptions;
  readonly #signers: Signers;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #metrics = createMetrics();
  readonly #rpcCalls: RpcCalls;
  readonly #tracing: Tracing;
  readonly #network: StellarNetwork;
  #database: Database | undefined;
  #generation: Generation | undefined;
  #fetch: Handler;
  #isClosing = false;
  #wake = (): void => {};
  /** Earlier generations that still answer what was in flight, and when each has. */
  readonly #leaving = new Map<Generation, Promise<void>>();
  readonly #draining: Draining;
  readonly #activity: Activity;

  constructor(config: FacilitatorConfig, options: FacilitatorOptions, tracing: Tracing) {
    this.#config = config;
    this.#tracing = tracing;
    this.#options = options;
    this.#signers = openSigners(config);
    this.#logger = options.logger ?? silentLogger;
    this.#clock = options.clock ?? systemClock;
    this.#rpcCalls = createRpcCalls(this.#clock);
    this.#draining = new Draining(this.#logger);
    this.#activity = createActivity(this.#clock);
    this.#fetch = this.#waiting('starting', 'The service is starting.');
    this.#network = connectNetwork(
      {
        url: config.rpcUrl,
        otherUrls: config.otherRpcUrls,
        callsPerSecond: config.rpcCallsPerSecond,
        certificateAuthority: config.rpcCertificateAuthority,
        onCall: (method, outcome, seconds) => {
          tracing.rpcCall(method, outcome, seconds);
          this.#metrics.rpcCall(method, outcome, seconds);
          this.#rpcCalls.note(outcome);
        },
        onChange: (host, state, why) => {
          if (state === 'failing') this.#logger.warn({ host, why }, 'an RPC server fails');
          else this.#logger.info({ host }, 'an RPC server answers again');
        },
      },
      this.#clock,
    );
  }

  readonly fetch: Handler = (request, env) => this.#fetch(request, env);

  /** Answers on the operator's own port; until the service is open, as on the public one, with metrics and `drain`. */
  readonly operatorFetch: Handler = (request, env) =>
    (this.#generation?.operatorFetch ?? this.#waitingForOperator)(request, env);

  readonly #waitingForOperator: Handler = (request, env) =>
    withOperations(this.#fetch, this.#operations, ({ headers }) => {
      const isLocal = isLoopbackAddress(this.#config.operatorHost);
      return !isLocal || isLoopbackHost(headers.host);
    })(request, env);

  /** Whether payments can be settled as far as the last attempt to open the service shows. */
  get isOpen(): boolean {
    return this.#generation !== undefined;
  }

  /** Makes one attempt. @returns why it failed, if that may pass; @throws ConfigError */
  async attempt(): Promise<string | undefined> {
    try {
      this.#database ??= this.#options.database ?? (await openConfiguredStore(this.#config));
      this.#generation = await openGeneration({
        config: this.#config,
        options: this.#options,
        signers: this.#signers,
        network: this.#network,
        database: this.#database,
        metrics: this.#metrics,
        rpcCalls: this.#rpcCalls,
        tracing: this.#tracing,
        logger: this.#logger,
        clock: this.#clock,
        closing: () => this.#isClosing,
        onReset: () => this.#onReset(),
        draining: this.#draining,
        activity: this.#activity,
        leaving: () => this.#leavingInFlight,
      });
      this.#fetch = this.#generation.fetch;
      this.#open();
      return undefined;
    } catch (error) {
      if (!mayPass(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      const isReset = error instanceof NotYetError;
      this.#fetch = this.#waiting(isReset ? 'network_reset' : 'starting', why);
      return why;
    }
  }

  /** Makes attempts, with growing pauses, until one succeeds or the service closes. @throws ConfigError */
  async keepTrying(first: string | undefined): Promise<void> {
    let why = first;
    for (let pause = FIRST_PAUSE_MS; why !== undefined && !this.#isClosing; pause *= 2) {
      const waitMs = Math.min(pause, MAX_PAUSE_MS);
      this.#logger.warn({ why, waitMs }, 'the service cannot serve yet; will retry');
      await this.#pause(waitMs);
      if (this.#isClosing) return;
      why = await this.attempt();
    }
    if (why === undefined && first !== undefined)
      this.#logger.info({}, 'the service can serve now');
  }

  /** Opens an embedded store again that the start found full or read-only, until it can be written. */
  async keepThawing(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.#isClosing; pause *= 2) {
      const frozen = this.#database?.frozen;
      if (frozen === undefined || !MAY_THAW.has(frozen.code) || this.#options.database) return;
      await this.#pause(Math.min(pause, MAX_PAUSE_MS));
      if (this.#isClosing) return;
      const next = await openConfiguredStore(this.#config).catch(() => undefined);
      if (next === undefined || next.frozen !== undefined) {
        await next?.close();
        continue;
      }
      this.#logger.warn({}, 'the store can be written again');
      this.#leave();
      this.#database = next;
      return this.keepTrying(await this.attempt());
    }
  }

  #onReset(): void {
    this.#logger.error({}, NETWORK_RESET_WORDS);
    this.#fetch = this.#waiting('network_reset', NETWORK_RESET_WORDS);
    this.#leave();
    void this.attempt()
      .then((why) => this.keepTrying(why))
      .catch((error: unknown) => this.fail(error));
  }

  #open = (): void => {};

  /** Resolves at the first attempt that succeeds. */
  readonly opened: Promise<void> = new Promise((resolve) => {
    this.#open = resolve;
  });

  #fail = (_error: unknown): void => {};

  /** Rejects if a later attempt shows that the settings are wrong. */
  readonly failed: Promise<never> = new Promise((_, reject) => {
    this.#fail = reject;
  });

  fail(error: unknown): void {
    this.#logger.error({ err: error }, 'the service cannot serve with these settings');
    this.#fail(error);
  }

  /** Lets the present generation finish what is in flight. */
  #leave(): void {
    const old = this.#generation;
    this.#generation = undefined;
    if (old === undefined) return;
    const left = old
      .stop()
      .then(() => old.close())
      .catch((error: unknown) => this.#logger.warn({ err: error }, 'closing failed'))
      .finally(() => this.#leaving.delete(old));
    this.#leaving.set(old, left);
  }

  get #leavingInFlight(): number {
    return [...this.#leaving.keys()].reduce((sum, one) => sum + one.inFlight(), 0);
  }

  /** Stops the work; resolves when everything in flight has been answered. */
  async stop(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await this.#generation?.stop();
    await Promise.all(this.#leaving.values());
  }

  async close(): Promise<void> {
    await this.#tracing.close();
    this.#network.close();
    await this.#generation?.close();
    await this.#database?.close();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(milliseconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** The routes while the service cannot serve: liveness, what it waits for, and the operator's unless these have a port of their own. */
  #waiting(code: Readiness['reasons'][number]['code'], message: string): Handler {
    const app = waitingApp(this.#signers, { code, message }, this.#draining);
    if (this.#config.operatorPort !== null) return app;
    return withOperations(app, this.#operations, isFromThisMachine);
  }

  get #operations(): Operations {
    return {
      metrics: this.#metrics,
      operatorToken: this.#options.operatorToken,
      draining: this.#draining,
      activity: this.#activity,
      inFlight: () => this.#leavingInFlight,
    };
  }
}

/** Opens the operator's own port, if there is one. */
async function listenForOperator(
  fetch: Handler,
  { operatorPort, operatorHost, busyPort }: FacilitatorConfig,
): Promise<Listening | undefined> {
  if (operatorPort === null) return undefined;
  return listen({ fetch }, { host: operatorHost, port: operatorPort, busyPort });
}

/**
 * Starts a facilitator and resolves when it listens and has tried to open its store and the network. What may pass, such as a
 * database that is starting or an RPC server that does not answer, is tried again with growing pauses: until then `/health` is
 * 200, `/ready` says what the service waits for, and everything else is refused. When the test network starts again, the
 * service opens itself again on the new one.
 * @throws ConfigError if settings, secrets, accounts or network do not match; an `EADDRINUSE` error if the port is in use and no
 * other may be chosen
 */
export async function startFacilitator(options: FacilitatorOptions): Promise<RunningFacilitator> {
  const config: FacilitatorConfig = { ...CONFIG_DEFAULTS, ...settingsOf(options) };
  const { logger = silentLogger } = options;
  const service = new Service(config, options, await openTraces(config));
  service.failed.catch(() => undefined);
  for (const danger of dangerousSettings(config)) {
    logger.warn({}, `dangerous setting: ${danger}`);
  }
  let listening: Listening | undefined;
  let operator: Listening | undefined;
  try {
    operator = await listenForOperator(service.operatorFetch, config);
    listening = await listen(service, config);
    const why = await service.attempt();
    const trying = why === undefined ? service.keepThawing() : service.keepTrying(why);
    trying.catch((error: unknown) => service.fail(error));
  } catch (error) {
    await service.stop();
    await Promise.all([listening?.close(Promise.resolve()), operator?.close(Promise.resolve())]);
    await service.close();
    throw error;
  }
  const { url, port, close } = listening;
  if (service.isOpen) logger.info({ url }, 'facilitator ready');
  return {
    url,
    port,
    operatorUrl: operator?.url,
    opened: service.opened,
    failed: service.failed,
    async close() {
      const stopped = service.stop();
      await Promise.all([close(stopped), operator?.close(stopped)]);
      await service.close();
    },
  };
}

/** Returns the options that are settings. */
function settingsOf(options: FacilitatorOptions) {
  const {
    logger: _logger,
    clock: _clock,
    database: _database,
    ownershipFetch: _fetch,
    checksLocalSellers: _local,
    policyProofRequired: _proof,
    passkeyToken: _token,
    openMcp: _openMcp,
    operatorToken: _operator,
    ...settings
  } = options;
  return settings;
}
