import { parseDecimalAmount } from '../protocol/index.ts';
import { CONFIG_DEFAULTS, type FacilitatorConfig } from './config.ts';
import { ConfigError } from './configError.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function isHttpUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** Reads variables one by one and collects all problems, so that they are reported together. */
class Reader {
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** Reads a string such as a prefix without trimming white space. */
  exactly(name: string): string {
    return this.#environment[name] ?? '';
  }

  cosine(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (/^-?(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value)) return Number(value);
    this.problems.push(`${name} must be a number from -1 to 1, such as 0.35.`);
    return fallback;
  }

  required(name: string, what: string): string {
    const value = this.text(name);
    if (value === undefined) this.problems.push(`${name} is not set. Set it to ${what}.`);
    return value ?? '';
  }

  url(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (isHttpUrl(value)) return value;
    this.problems.push(`${name} is not an http or https URL.`);
    return value;
  }

  /** URLs separated by commas. The message does not contain them, since a path may contain a key. */
  urls(name: string): readonly string[] {
    const texts = (this.text(name) ?? '').split(/[\s,]+/).filter((text) => text !== '');
    if (texts.length === 1) return [this.url(name) ?? ''];
    texts.forEach((text, index) => {
      if (!isHttpUrl(text)) {
        this.problems.push(`${name} has no http or https URL at position ${index + 1}.`);
      }
    });
    if (new Set(texts).size < texts.length) this.problems.push(`${name} repeats a URL.`);
    return texts;
  }

  /** Origins as a browser writes them, separated by spaces or commas. */
  origins(name: string): readonly string[] {
    const texts = (this.text(name) ?? '').split(/[\s,]+/).filter((text) => text !== '');
    const wrong = texts.filter((text) => !isHttpUrl(text) || new URL(text).origin !== text);
    if (wrong.length > 0) {
      this.problems.push(
        `${name} must list origins such as https://dapp.example, without a path. Invalid: ${wrong.join(', ')}.`,
      );
    }
    return texts;
  }

  integer(name: string, fallback: bigint, minimum: bigint, maximum: bigint): bigint {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (/^\d{1,18}$/.test(value)) {
      const number = BigInt(value);
      if (number >= minimum && number <= maximum) return number;
    }
    this.problems.push(`${name} must be a whole number from ${minimum} to ${maximum}.`);
    return fallback;
  }

  small(name: string, fallback: number, minimum: number, maximum: number): number {
    return Number(this.integer(name, BigInt(fallback), BigInt(minimum), BigInt(maximum)));
  }

  yesOrNo(name: string, fallback: boolean): boolean {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (value !== 'true' && value !== 'false') this.problems.push(`${name} must be true or false.`);
    return value === 'true';
  }

  xlm(name: string, fallbackStroops: bigint): bigint {
    const value = this.text(name);
    if (value === undefined) return fallbackStroops;
    const stroops = parseDecimalAmount(value);
    if (stroops !== undefined) return stroops;
    this.problems.push(`${name} must be an amount of XLM such as 10 or 2.5.`);
    return fallbackStroops;
  }
}

function channels(reader: Reader): FacilitatorConfig['channels'] {
  const secrets = reader.text('CHANNEL_SECRETS');
  const seed = reader.text('CHANNEL_SEED');
  if (secrets !== undefined && seed !== undefined) {
    reader.problems.push('CHANNEL_SECRETS and CHANNEL_SEED are both set: keep one of them.');
  }
  if (secrets !== undefined) return { secrets: secrets.split(/[\s,]+/).filter((s) => s !== '') };
  if (seed !== undefined && seed.length < 16) {
    reader.problems.push('CHANNEL_SEED is too short to be secret: use at least 16 characters.');
  }
  if (seed === undefined) {
    reader.problems.push(
      'Neither CHANNEL_SECRETS (50 secrets) nor CHANNEL_SEED (a string they derive from) is set. Set one of them.',
    );
  }
  return { seed: seed ?? '' };
}

function databaseUrl(reader: Reader): string | null {
  const text = reader.text('DATABASE_URL') ?? null;
  // The message does not contain the value, since it includes a password.
  if (text !== null && !/^postgres(ql)?:\/\/./.test(text)) {
    reader.problems.push(
      'DATABASE_URL must be a URL of PostgreSQL: postgres://user@host/database.',
    );
  }
  return text;
}

function spendControls(reader: Reader): FacilitatorConfig['spendControls'] {
  const d = CONFIG_DEFAULTS.spendControls;
  const most = 10n ** 17n;
  return {
    enforced: reader.yesOrNo('SPEND_LIMITS_REFUSE', d.enforced),
    payToPerMinute: reader.small('SPEND_PAYTO_PER_MINUTE', d.payToPerMinute, 1, 1_000_000),
    urlPerMinute: reader.small('SPEND_URL_PER_MINUTE', d.urlPerMinute, 1, 1_000_000),
    clientFeesPerMinuteStroops: reader.integer(
      'SPEND_CLIENT_FEES_PER_MINUTE_STROOPS',
      d.clientFeesPerMinuteStroops,
      1n,
      most,
    ),
    feesPerDayStroops: reader.integer('SPEND_FEES_PER_DAY_STROOPS', d.feesPerDayStroops, 1n, most),
    unboundFeesPerDayStroops: reader.integer(
      'SPEND_UNBOUND_FEES_PER_DAY_STROOPS',
      d.unboundFeesPerDayStroops,
      1n,
      most,
    ),
  };
}

/** Dimensions of every embedding; smaller ones are padded with zeros. */
const DIMENSIONS = 1_024;

function embeddings(reader: Reader): FacilitatorConfig['embeddings'] {
  const url = reader.url('EMBEDDINGS_URL');
  const model = reader.text('EMBEDDINGS_MODEL');
  if (url === undefined && model === undefined) return null;
  if (url === undefined || model === undefined) {
    reader.problems.push('EMBEDDINGS_URL and EMBEDDINGS_MODEL go together: set both or neither.');
  }
  const apiKey = reader.text('EMBEDDINGS_API_KEY') ?? null;
  const dimensions = reader.small('EMBEDDINGS_DIMENSIONS', DIMENSIONS, 1, DIMENSIONS);
  return {
    url: url ?? '',
    model: model ?? '',
    apiKey,
    ...(dimensions === DIMENSIONS ? {} : { dimensions }),
    queryPrefix: reader.exactly('EMBEDDINGS_QUERY_PREFIX'),
    textPrefix: reader.exactly('EMBEDDINGS_TEXT_PREFIX'),
    waitMs: reader.small('EMBEDDINGS_WAIT_MS', 300, 1, 10_000),
    floor: reader.cosine('EMBEDDINGS_FLOOR', 0),
  };
}

/**
 * Reads the facilitator's configuration from environment variables.
 * Values are checked here; secrets are checked where they are used (`openSigners`).
 * @throws ConfigError with one sentence for each variable that is missing or wrong
 */
export function configFromEnvironment(environment: Environment): FacilitatorConfig {
  const reader = new Reader(environment);
  const d = CONFIG_DEFAULTS;
  const [rpcUrl, ...otherRpcUrls] = reader.urls('STELLAR_RPC_URL');
  if (rpcUrl === undefined) {
    reader.problems.push('STELLAR_RPC_URL is not set. Set it to the URL of a Stellar RPC server.');
  }
  const busyPort = reader.text('BUSY_PORT') ?? d.busyPort;
  if (busyPort !== 'refuse' && busyPort !== 'move') {
    reader.problems.push('BUSY_PORT must be refuse or move.');
  }
  const config: FacilitatorConfig = {
    rpcUrl: rpcUrl ?? '',
    otherRpcUrls,
    // 0 sets no limit of our own.
    rpcCallsPerSecond: reader.small('RPC_CALLS_PER_SECOND', 0, 0, 100_000) || null,
    refundsAfterReset: reader.yesOrNo('REFUND_AFTER_RESET', d.refundsAfterReset),
    horizonUrl: reader.url('HORIZON_URL') ?? d.horizonUrl,
    rpcCertificateAuthority: d.rpcCertificateAuthority,
    sponsorSecret: reader.required(
      'SPONSOR_SECRET',
      'the secret (S…) of the account that pays fees',
    ),
    channels: channels(reader),
    host: reader.text('HOST') ?? d.host,
    port: reader.small('PORT', d.port, 0, 65_535),
    busyPort: busyPort === 'move' ? 'move' : 'refuse',
    maxTxFeeStroops: reader.integer('MAX_TX_FEE_STROOPS', d.maxTxFeeStroops, 200n, 4_294_967_295n),
    inclusionFeeStroops: reader.integer(
      'INCLUSION_FEE_STROOPS',
      d.inclusionFeeStroops,
      100n,
      10_000_000n,
    ),
    uptoContractId: reader.text('UPTO_CONTRACT_ID') ?? d.uptoContractId,
    sponsorFloorStroops: reader.xlm('SPONSOR_FLOOR_XLM', d.sponsorFloorStroops),
    expiryToleranceLedgers: reader.small(
      'EXPIRY_TOLERANCE_LEDGERS',
      d.expiryToleranceLedgers,
      0,
      1_000,
    ),
    databaseUrl: databaseUrl(reader),
    dataFolder: d.dataFolder,
    embeddings: embeddings(reader),
    instanceTtlMs: reader.small('INSTANCE_TTL_MS', d.instanceTtlMs, 500, 60_000),
    payerInFlight: reader.small('PAYER_IN_FLIGHT', d.payerInFlight, 1, 50),
    channelWaitMs: reader.small('CHANNEL_WAIT_MS', d.channelWaitMs, 0, 60_000),
    confirmationMs: reader.small('CONFIRMATION_MS', d.confirmationMs, 1_000, 80_000),
    answerWithinMs: reader.small('ANSWER_WITHIN_MS', d.answerWithinMs, 2_000, 85_000),
    rateLimitPerMinute: reader.small('RATE_LIMIT_PER_MINUTE', d.rateLimitPerMinute, 0, 100_000),
    rateLimitExemptsLoopback: d.rateLimitExemptsLoopback,
    loopbackNamesOnly: d.loopbackNamesOnly,
    spendControls: spendControls(reader),
    allowedOrigins: reader.origins('ALLOWED_ORIGINS'),
    trustedProxyHops: reader.small('TRUSTED_PROXY_HOPS', d.trustedProxyHops, 0, 10),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}
