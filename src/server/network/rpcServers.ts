import type { Clock } from '../clock.ts';
import { CallGate, type CallPurpose } from './callGate.ts';
import {
  createJsonRpcTransport,
  type JsonRpcTransport,
  type ReadingCall,
  SUBMISSION,
  type TransportOptions,
} from './jsonRpcTransport.ts';
import { RpcError } from './rpcError.ts';

/** Lookups of what was submitted, which may be repeated later. */
const LOOKUPS: ReadonlySet<string> = new Set(['getTransaction', 'getEvents', 'getLedgers']);

/** Pause before a server that failed is tried again, doubled with each failure. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** How often a read is tried at one server that refuses it because of its limit. */
const MAX_ROUNDS = 2;
/** A server whose limit delays a call by more than this is passed over. */
const SOON_MS = 100;
/** A call that takes longer than this is slow: a payment needs several, one after the other, and a probe of `/ready` one. */
const SLOW_MS = 1_000;
/** Slow calls in a row after which a server is passed over, and for how long. */
const SLOW_CALLS = 2;
const SLOW_PAUSE_MS = 10_000;

export interface ServersOptions extends Omit<TransportOptions, 'url'> {
  /** In the order in which they are used: a server is used while those before it fail. */
  readonly urls: readonly string[];
  /** Calls a second to each server; `null` for as many as it accepts. */
  readonly callsPerSecond: number | null;
  /** Opens the connection to a server; tests supply one that needs none. */
  readonly openTransport?: (options: TransportOptions) => JsonRpcTransport;
  /** Called when a server fails, and when it answers again. The host alone: a path may contain a key. */
  readonly onChange?: (host: string, state: 'failing' | 'answering', why: string) => void;
}

/** A server's answer to one call. */
export interface ServerAnswer {
  readonly result: unknown;
  readonly server: RpcServer;
}

/** Several RPC servers, used as one. */
export interface RpcServers extends JsonRpcTransport {
  readonly servers: readonly RpcServer[];
  /** Sends a call and returns which server answered it. Rejects with RpcError. */
  ask(method: string, params: object | undefined): Promise<ServerAnswer>;
  /** Sends a read-only call to one server only. Rejects with RpcError. */
  askOne(server: RpcServer, method: string, params: object | undefined): Promise<unknown>;
  /** Milliseconds that another call would wait for its turn; 0 if it would be sent now. */
  readonly waitMs: number;
}

/** One of the servers. */
export class RpcServer {
  readonly host: string;
  readonly transport: JsonRpcTransport;
  readonly gate: CallGate;
  #failures = 0;
  #downUntil = 0;
  #slowCalls = 0;
  #slowUntil = 0;
  isProbed = false;
  readonly #clock: Clock;

  constructor(url: string, options: ServersOptions, clock: Clock) {
    const { openTransport = createJsonRpcTransport } = options;
    this.host = new URL(url).host;
    this.transport = openTransport({ ...options, url });
    this.gate = new CallGate(options.callsPerSecond, clock);
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#failures > 0;
  }

  /** When it may be tried again. */
  get downUntil(): number {
    return this.#downUntil;
  }

  /** Whether its last calls were slow, a short time ago. */
  get isSlow(): boolean {
    return this.#slowUntil > this.#clock.elapsed();
  }

  /**
   * @param tookMs how long the call took
   * @returns whether it failed before
   */
  answered(tookMs: number): boolean {
    const wasDown = this.isDown;
    this.#failures = 0;
    this.#slowCalls = tookMs > SLOW_MS ? this.#slowCalls + 1 : 0;
    if (this.#slowCalls >= SLOW_CALLS) this.#slowUntil = this.#clock.elapsed() + SLOW_PAUSE_MS;
    return wasDown;
  }

  /** @returns whether it answered before */
  failed(): boolean {
    const wasUp = !this.isDown;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures += 1;
    this.#downUntil = this.#clock.elapsed() + pause;
    return wasUp;
  }
}

function purposeOf(method: string): CallPurpose {
  if (method === SUBMISSION) return 'submission';
  return LOOKUPS.has(method) ? 'lookup' : 'reading';
}

/** Whether another server may be asked the same: a submission only if this one certainly did not get it. */
function mayAskAnother(method: string, error: RpcError): boolean {
  if (method === SUBMISSION) return error.neverArrived;
  return error.transient || error.code === 'limited' || error.code === 'bad_answer';
}

/** Whether an error shows that the server does not work, rather than that it refuses one call. */
function isFailure({ code, status }: RpcError): boolean {
  return code !== 'refused' && code !== 'limited' && status !== 429;
}

const isLimit = ({ status }: RpcError): boolean => status === 429;

/**
 * Uses the first server that works. A read that fails is made at the next one, and a submission only if the failed server
 * certainly did not get it. A server that fails is passed over, and tried again with single calls that nothing waits for; one that
 * is slow is passed over for a short time.
 */
export function openRpcServers(options: ServersOptions, clock: Clock): RpcServers {
  const servers = options.urls.map((url) => new RpcServer(url, options, clock));
  const isAlone = servers.length === 1;
  let isClosed = false;

  /** Reports a change of one of several servers; what a single one does shows in each call. */
  function report(server: RpcServer, state: 'failing' | 'answering', why: string): void {
    if (!isAlone && !isClosed) options.onChange?.(server.host, state, why);
  }

  function heard(server: RpcServer, askedAt: number): void {
    if (server.answered(clock.elapsed() - askedAt)) report(server, 'answering', 'it answers again');
  }

  function note(server: RpcServer, error: RpcError, askedAt: number): void {
    if (isLimit(error)) server.gate.refused(error.retryAfterMs);
    else if (error.code === 'refused') heard(server, askedAt);
    else if (isFailure(error) && server.failed()) report(server, 'failing', error.message);
  }

  async function askOne(
    server: RpcServer,
    method: string,
    params: object | undefined,
  ): Promise<unknown> {
    let askedAt = clock.elapsed();
    try {
      await server.gate.enter(purposeOf(method), 1, method);
      askedAt = clock.elapsed();
      const result = await server.transport.call(method, params);
      heard(server, askedAt);
      return result;
    } catch (error) {
      if (error instanceof RpcError) note(server, error, askedAt);
      throw error;
    }
  }

  /** Asks a server that failed whether it works again. */
  function probe(server: RpcServer): void {
    if (server.isProbed) return;
    server.isProbed = true;
    askOne(server, 'getHealth', undefined)
      .catch(() => undefined)
      .finally(() => {
        server.isProbed = false;
      });
  }

  /** The servers in the order in which they are to be asked. */
  function inOrder(): readonly RpcServer[] {
    if (isAlone) return servers;
    const now = clock.elapsed();
    for (const server of servers) if (server.isDown && server.downUntil < now) probe(server);
    const rank = (server: RpcServer): number =>
      server.isDown ? 2 : server.gate.waitMs > SOON_MS || server.isSlow ? 1 : 0;
    return [...servers].sort((a, b) => rank(a) - rank(b));
  }

  async function ask(
    method: string,
    params: object | undefined,
    except?: RpcServer,
  ): Promise<ServerAnswer> {
    let last: RpcError | undefined;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const server of inOrder()) {
        // It just failed in a batch; with the next round it has its turn again.
        if (server === except && round === 0 && !isAlone) continue;
        try {
          return { server, result: await askOne(server, method, params) };
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          if (!mayAskAnother(method, error)) throw error;
          // Of several failures, the caller learns of a limit first: it may wait until then.
          if (last === undefined || error.code === 'limited') last = error;
        }
      }
      // Once refused for its limit, a call may wait for its turn within it.
      if (last === undefined || !isLimit(last)) break;
    }
    throw last ?? new RpcError('unreachable', method, 'no RPC server is left');
  }

  return {
    servers,
    ask: (method, params) => ask(method, params),
    askOne,
    call: async (method, params) => (await ask(method, params)).result,
    callTogether(calls: readonly ReadingCall[]) {
      const [server] = inOrder();
      if (server === undefined) return [];
      const purpose = calls.every(({ method }) => LOOKUPS.has(method)) ? 'lookup' : 'reading';
      const name = [...new Set(calls.map(({ method }) => method))].join(' and ');
      const entered = server.gate.enter(purpose, calls.length, name);
      const sent = entered.then(() => ({
        askedAt: clock.elapsed(),
        answers: server.transport.callTogether(calls),
      }));
      return calls.map(async ({ method, params }, at) => {
        let askedAt = clock.elapsed();
        try {
          const { answers, ...begun } = await sent;
          askedAt = begun.askedAt;
          const result = await answers[at];
          heard(server, askedAt);
          return result;
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          note(server, error, askedAt);
          const again = isLimit(error) || (!isAlone && mayAskAnother(method, error));
          if (!again) throw error;
          return (await ask(method, params, server)).result;
        }
      });
    },
    get waitMs() {
      return Math.min(...servers.map(({ gate }) => gate.waitMs));
    },
    close() {
      isClosed = true;
      for (const { gate, transport } of servers) {
        gate.close();
        transport.close();
      }
    },
  };
}
