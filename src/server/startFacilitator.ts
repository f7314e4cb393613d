import { isLoopbackAddress } from '../machine/index.ts';
import { limitKeyOf } from './apiKeys.ts';
import { type OwnershipFetch, openCatalog } from './catalog/index.ts';
import { type Clock, systemClock } from './clock.ts';
import { CONFIG_DEFAULTS, type FacilitatorConfig, type SigningSecrets } from './config.ts';
import { ConfigError } from './configError.ts';
import { dangerousSettings } from './dangerousSettings.ts';
import { type Facilitator, openFacilitator, warmUp } from './facilitator/index.ts';
import { createApp, createOperatorApp } from './http/createApp.ts';
import { type Listening, listen } from './http/listen.ts';
import type { OpenMcp } from './http/mcp/index.ts';
import { createActivity, createRpcCalls } from './http/operator/index.ts';
import {
  clientName,
  createRateLimiter,
  createSharedRateLimiter,
  type RateLimiter,
} from './http/rateLimit/index.ts';
import { type Logger, silentLogger } from './logger.ts';
import { createMetrics } from './metrics/index.ts';
import { connectNetwork } from './network/index.ts';
import { openPolicies } from './policies/index.ts';
import { openCatalogSearch } from './search/index.ts';
import { searchIndexFile } from './searchIndexFile.ts';
import { readSearchWords } from './searchWords.ts';
import { openSigners } from './settlement/index.ts';
import { createRateCounter, type Database, openStore, StoreError } from './store/index.ts';
import { NO_TRACING, type Tracing } from './tracing/index.ts';

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
  /** Stops listening, answers requests in flight, closes connections. */
  close(): Promise<void>;
}

/** The first answer comes before what only the first payment would wait for. */
const WARM_UP_AFTER_MS = 30;

/** Opens the configured store. @throws ConfigError if it cannot be used */
async function openConfiguredStore(config: FacilitatorConfig): Promise<Database> {
  try {
    return await openStore(config);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
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

/** Resources that a facilitator is opened on: the store, its journal and the network. */
async function openFoundations(config: FacilitatorConfig, options: FacilitatorOptions) {
  const { logger = silentLogger, clock = systemClock, ownershipFetch = {} } = options;
  const metrics = createMetrics();
  const rpcCalls = createRpcCalls(clock);
  const tracing = await openTraces(config);
  const network = connectNetwork(
    {
      url: config.rpcUrl,
      certificateAuthority: config.rpcCertificateAuthority,
      onCall(method, outcome, seconds) {
        tracing.rpcCall(method, outcome, seconds);
        metrics.rpcCall(method, outcome, seconds);
        rpcCalls.note(outcome);
      },
    },
    clock,
  );
  const database = options.database ?? (await openConfiguredStore(config));
  if (database.frozen !== undefined) {
    logger.error(
      { reason: database.frozen.code },
      `the store is frozen: ${database.frozen.message}`,
    );
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
  return {
    logger,
    clock,
    metrics,
    rpcCalls,
    tracing,
    network,
    database,
    catalog,
    async close(): Promise<void> {
      await tracing.close();
      network.close();
      await catalog.close();
      await database.close();
    },
  };
}

/** Opens the operator's own port, if there is one. */
async function listenForOperator(
  parts: Parameters<typeof createOperatorApp>[0],
  { operatorPort, operatorHost, busyPort }: FacilitatorConfig,
): Promise<Listening | undefined> {
  if (operatorPort === null) return undefined;
  const app = createOperatorApp(parts, isLoopbackAddress(operatorHost));
  return listen(app, { host: operatorHost, port: operatorPort, busyPort });
}

/**
 * Starts a facilitator and resolves when it answers.
 * @throws ConfigError if secrets, accounts or network do not match; RpcError if the network does not answer;
 * an `EADDRINUSE` error if the port is in use and no other may be chosen
 */
export async function startFacilitator(options: FacilitatorOptions): Promise<RunningFacilitator> {
  const { policyProofRequired = true, passkeyToken, openMcp, operatorToken } = options;
  const config: FacilitatorConfig = { ...CONFIG_DEFAULTS, ...settingsOf(options) };
  const foundations = await openFoundations(config, options);
  const { logger, clock, metrics, rpcCalls, tracing, network, database, catalog } = foundations;
  let closing = false;
  let facilitator: Facilitator | undefined;
  let operator: Listening | undefined;
  for (const danger of dangerousSettings(config)) {
    logger.warn({}, `dangerous setting: ${danger}`);
  }
  try {
    const signers = openSigners(config);
    const opened = await openFacilitator(config, {
      signers,
      network,
      clock,
      logger,
      database,
      catalog,
      onSpendRefusal: metrics.spendRefusal,
      budgets: budgetsOf(config),
    });
    facilitator = opened;
    metrics.watch(() => opened.health());
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
      facilitator: opened,
      catalog,
      policies,
      passkeyToken,
      openMcp,
      operatorToken,
      logger,
      metrics,
      rateLimiter: openRateLimiter(config, database, clock, logger),
      keyLimiters: openKeyLimiters(config, database, clock, logger),
      closing: () => closing,
      activity: createActivity(clock),
      rpcCalls,
      tracing,
      hasOperatorPort: config.operatorPort !== null,
    };
    operator = await listenForOperator(parts, config);
    const { url, port, close } = await listen(createApp(parts), config);
    const { sponsor } = opened.health();
    logger.info({ url, sponsor: sponsor.address }, 'facilitator ready');
    const warming = setTimeout(() => {
      warmUp(network, sponsor.address).catch((error) => {
        logger.debug({ err: error }, 'the first payment finds nothing prepared');
      });
    }, WARM_UP_AFTER_MS).unref();
    return {
      url,
      port,
      operatorUrl: operator?.url,
      async close() {
        closing = true;
        clearTimeout(warming);
        const stopped = Promise.all([opened.stop(), policies.stop()]).then(() => undefined);
        await Promise.all([close(stopped), operator?.close(stopped)]);
        await foundations.close();
      },
    };
  } catch (error) {
    await operator?.close(Promise.resolve());
    await facilitator?.stop();
    await foundations.close();
    throw error;
  }
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
