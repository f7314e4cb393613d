import { setTimeout } from 'node:timers/promises';
import type { DryRun, WatchReads } from '../state/index.ts';
import { getLedgerEntries } from './getLedgerEntries.ts';
import { notFound } from './getTransactions.ts';
import { JsonText } from './jsonText.ts';
import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import { RPC_METHODS } from './rpcMethods.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import { RpcParams } from './rpcParams.ts';
import { envelopeOf, tryAgainLater } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';
import { type Work, WorkBudget } from './workBudget.ts';

/** The answer to a request, and how it is delivered. */
interface RpcAnswer {
  /** Undefined if the request has only notifications. */
  readonly text: string | undefined;
  readonly delivery: Delivery;
}

/** Methods whose calls can take a while. */
const LONG_METHODS: ReadonlySet<string> = new Set([
  'getEvents',
  'getLedgerEntries',
  'getLedgers',
  'getTransactions',
  'sendTransaction',
  'simulateTransaction',
]);

/** JSON-RPC 2.0 server for the Stellar RPC methods, independent of the transport. */
export class RpcServer {
  readonly #network: RpcNetwork;
  readonly #onFault: (fault: Error) => void;
  readonly #takeFault: TakeFault;
  readonly #prefetch: PrefetchEntries | undefined;
  readonly #turns = new Turns();

  /**
   * @param onFault called with errors whose details the caller does not receive
   * @param takeFault decides which answers fail
   * @param prefetch loads the entries that a call reads, before the call
   */
  constructor(
    network: RpcNetwork,
    onFault: (fault: Error) => void,
    takeFault: TakeFault = () => undefined,
    prefetch?: PrefetchEntries,
  ) {
    this.#prefetch = prefetch;
    this.#takeFault = takeFault;
    this.#network = network;
    this.#onFault = onFault;
  }

  /**
   * Calls one method without a connection; a lost answer is an error of the call.
   * @throws RpcError
   */
  async call(method: string, params?: unknown): Promise<unknown> {
    await this.#prepare([{ jsonrpc: '2.0', method, params }]);
    const fault = this.#takeFault(method);
    const delivery = deliveryOf(fault);
    const result = isCarriedOut(fault) ? await this.#run(method, params, fault) : undefined;
    if ('milliseconds' in delivery) await setTimeout(delivery.milliseconds);
    if (delivery.kind === 'never') throw new RpcError('internal', 'the connection was closed');
    if (delivery.kind === 'unavailable') throw new RpcError('internal', 'service unavailable');
    return result instanceof JsonText ? JSON.parse(result.text) : result;
  }

  async #run(
    method: string,
    params: unknown,
    fault: AnswerFault | undefined,
    network: RpcNetwork = this.#network,
  ): Promise<unknown> {
    const run = fault?.kind === 'tryAgainLater' ? tryAgainLater : RPC_METHODS.get(method);
    if (run === undefined) throw new RpcError('methodNotFound', 'method not found', method);
    try {
      const read = new RpcParams(params);
      if (fault?.kind === 'lag') return notFound(network.service.history, read.text('hash'));
      return await run(network, read);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#onFault(fault);
      throw new RpcError('internal', fault.message);
    }
  }

  /**
   * Answers a request, single or a batch.
   */
  async answer(body: string): Promise<RpcAnswer> {
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      const text = JSON.stringify(errorAnswer(null, new RpcError('parse', 'invalid JSON')));
      return { text, delivery: NOW };
    }
    if (this.#prefetch !== undefined) {
      try {
        await this.#prepare(Array.isArray(request) ? request : [request]);
      } catch (error) {
        const fault = error instanceof Error ? error : new Error(String(error));
        const text = JSON.stringify(
          errorAnswer(requestId(request) ?? null, new RpcError('internal', fault.message)),
        );
        return { text, delivery: NOW };
      }
    }
    const deliveries: Delivery[] = [];
    const text = await this.#answer(request, deliveries);
    return { text, delivery: worst(deliveries) };
  }

  async #prepare(requests: readonly unknown[]): Promise<void> {
    if (this.#prefetch === undefined) return;
    for (const request of requests) {
      const parsed = parseRequest(request);
      if (parsed instanceof RpcError) continue;
      const dryRun = DRY_RUNS.get(parsed.method);
      if (dryRun === undefined) continue;
      await this.#prefetch(async (watch) => {
        await dryRun(this.#network, new RpcParams(parsed.params), watch);
      });
    }
  }

  async #answer(request: unknown, deliveries: Delivery[]): Promise<string | undefined> {
    const budget = new WorkBudget();
    const network = {
      ...this.#network,
      // The spread operator would read it only once.
      friendbotUrl: this.#network.friendbotUrl,
      spend: (work: Work, amount: number) => budget.spend(work, amount),
      crowded: () => this.#turns.shared,
      pause: () => this.#turns.next(),
    };
    if (!Array.isArray(request)) return this.#answerOne(request, network, deliveries, budget);
    if (request.length === 0 || request.length > LIMITS.batchCalls) {
      const why = request.length === 0 ? 'empty request batch' : 'too many calls in a batch';
      return JSON.stringify(errorAnswer(null, new RpcError('invalidRequest', why)));
    }
    const answers: string[] = [];
    for (const one of request) {
      await this.#turns.next();
      const answer = await this.#answerOne(one, network, deliveries, budget);
      if (answer === undefined) continue;
      budget.spend('bytes', answer.length);
      answers.push(answer);
    }
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
  }

  async #answerOne(
    request: unknown,
    network: RpcNetwork,
    deliveries: Delivery[],
    budget: WorkBudget,
  ): Promise<string | undefined> {
    const parsed = parseRequest(request);
    if (parsed instanceof RpcError) {
      return JSON.stringify(errorAnswer(requestId(request) ?? null, parsed));
    }
    const { id, method, params } = parsed;
    const fault = this.#takeFault(method);
    deliveries.push(deliveryOf(fault));
    if (!isCarriedOut(fault)) return undefined;
    try {
      if (LONG_METHODS.has(method)) await this.#turns.next();
      budget.requireLeft();
      const result = await this.#run(method, params, fault, network);
      return id === undefined ? undefined : answerText(id, result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return id === undefined ? undefined : JSON.stringify(errorAnswer(id, error));
    }
  }
}

function answerText(id: unknown, result: unknown): string {
  if (!(result instanceof JsonText)) return JSON.stringify({ jsonrpc: '2.0', id, result });
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
}

/** Combines the answers to the calls of a batch. */
function worst(deliveries: readonly Delivery[]): Delivery {
  for (const kind of ['never', 'unavailable', 'late'] as const) {
    const found = deliveries.find((delivery) => delivery.kind === kind);
    if (found !== undefined) return found;
  }
  return NOW;
}

/** How the answer to a call fails. */
export interface AnswerFault {
  readonly kind: 'tryAgainLater' | 'timeout' | 'lost' | 'late' | 'error5xx' | 'lag';
  /** How long the answer is delayed, or the connection stays open without one. */
  readonly milliseconds: number;
}

/** Returns the fault for this call of a method. */
export type TakeFault = (method: string) => AnswerFault | undefined;

/** How an answer is delivered. */
type Delivery =
  | { readonly kind: 'now' }
  | { readonly kind: 'late'; readonly milliseconds: number }
  /** Never: the connection ends. */
  | { readonly kind: 'never'; readonly milliseconds: number }
  /** As HTTP 503. */
  | { readonly kind: 'unavailable' };

const NOW: Delivery = { kind: 'now' };

/** Whether the call is carried out despite a fault. */
function isCarriedOut(fault: AnswerFault | undefined): boolean {
  return fault?.kind !== 'timeout' && fault?.kind !== 'error5xx';
}

function deliveryOf(fault: AnswerFault | undefined): Delivery {
  switch (fault?.kind) {
    case 'timeout':
    case 'lost':
      return { kind: 'never', milliseconds: fault.milliseconds };
    case 'late':
      return { kind: 'late', milliseconds: fault.milliseconds };
    case 'error5xx':
      return { kind: 'unavailable' };
    default:
      return NOW;
  }
}

/** Messages of JSON-RPC 2.0. */

type RequestId = string | number | null;

interface RpcRequest {
  /** Undefined for a notification, which is not answered. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Reads one call or notification of a request. */
export function parseRequest(request: unknown): RpcRequest | RpcError {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return new RpcError('invalidRequest', 'request is not a JSON object');
  }
  const { jsonrpc, method, params }: { jsonrpc?: unknown; method?: unknown; params?: unknown } =
    request;
  if (jsonrpc !== '2.0') return new RpcError('invalidRequest', 'invalid version marker');
  if (typeof method !== 'string' || method === '') {
    return new RpcError('invalidRequest', 'empty method name');
  }
  return { id: requestId(request), method, params };
}

/** The id of a call; null for anything that JSON-RPC does not allow. */
function requestId(request: unknown): RequestId | undefined {
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined;
  const { id } = request;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function errorAnswer(id: RequestId, { code, message, data }: RpcError): object {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: '2.0', id, error };
}

/** Loads the entries that a dry run reads. */
type PrefetchEntries = (dryRun: DryRun) => Promise<void>;

type CallRun = (network: RpcNetwork, params: RpcParams, watch: WatchReads) => unknown;

/** The methods that read the state, each as a dry run that reads the same entries without changing anything. */
const DRY_RUNS: ReadonlyMap<string, CallRun> = new Map<string, CallRun>([
  ['getLedgerEntries', (network, params, watch) => watch(() => getLedgerEntries(network, params))],
  // Dry runs are not reported as simulations.
  [
    'simulateTransaction',
    (network, params, watch) =>
      simulateTransaction({ ...network, simulated: undefined }, params, watch),
  ],
  [
    'sendTransaction',
    ({ service }, params, watch) => {
      const envelope = envelopeOf(params);
      watch(() => service.rehearse(envelope));
    },
  ],
]);

/** Milliseconds that calls can use in a turn of the event loop. */
const SLICE = 10;

/**
 * Shares the thread among all requests. Once the time of a turn of the event loop is used up, a request with more work queues
 * for its own turn. Between turns, the server reads connections and answers other requests.
 */
class Turns {
  #began: number | undefined;
  /** Calls that had their turn in this turn of the event loop. */
  #calls = 0;
  #line: Promise<void> = Promise.resolve();

  /** Resolves at once, or when it is the caller's turn. */
  async next(): Promise<void> {
    this.#calls += 1;
    if (this.#began === undefined) {
      this.#begin();
      return;
    }
    if (performance.now() - this.#began < SLICE) return;
    this.#line = this.#line.then(() => this.#turn());
    await this.#line;
  }

  /** Whether another call had its turn in this turn of the event loop. */
  get shared(): boolean {
    return this.#calls > 1;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#begin();
        resolve();
      });
    });
  }

  #begin(): void {
    this.#calls = 1;
    const began = performance.now();
    this.#began = began;
    setImmediate(() => {
      if (this.#began === began) this.#began = undefined;
    });
  }
}
