import type { xdr } from '@stellar/stellar-sdk';
import { contractAddressOf } from '../../../common/scAddress.ts';
import { type CallCost, EVENTS_LEFT_OUT } from '../host/index.ts';

/** How a call ended; `unknown` if its end was not recorded. */
export type CallOutcome = 'returned' | 'failed' | 'unknown';

/** A call, as the host recorded it, without decoding anything. */
export interface RecordedCall {
  /** `C…` of the called contract. */
  readonly contract: string;
  readonly function: string;
  /** As the host records them: one argument as itself, several as a vector, none as void. */
  readonly arguments: xdr.ScVal;
  outcome: CallOutcome;
  result: xdr.ScVal | undefined;
  /** What it consumed, including nested calls; undefined if not measured. */
  readonly cost: CallCost | undefined;
  readonly steps: RecordedStep[];
}

/** What happened within a call, in order. */
export type RecordedStep =
  | { readonly kind: 'call'; readonly call: RecordedCall }
  | { readonly kind: 'event'; readonly topics: readonly xdr.ScVal[]; readonly data: xdr.ScVal }
  | { readonly kind: 'log'; readonly data: xdr.ScVal }
  | { readonly kind: 'error'; readonly error: xdr.ScError; readonly data: xdr.ScVal };

export interface CallTree {
  /** What happened outside all contracts, usually one call. */
  readonly steps: readonly RecordedStep[];
  /** The error that the invocation as a whole ended with. */
  readonly failure: xdr.ScError | undefined;
  /** stellar-core's metrics, by name: `cpu_insn`, `mem_byte`. */
  readonly metrics: ReadonlyMap<string, bigint>;
  /** Whether something was left out because there was too much of it. */
  readonly cut: boolean;
}

/** Limits of a tree. The host's own limit for nested calls is far below this depth. */
export const TREE_LIMITS = { depth: 64, steps: 2_000, events: 20_000 } as const;

/** Number of events kept from the end of a truncated list, which has the metrics and the last error. */
const KEPT_TAIL = 64;

/**
 * Builds a tree of calls from diagnostic events.
 *
 * The host records a call (`fn_call`) with the caller as its contract before it opens a frame, and its return (`fn_return`)
 * with the called contract. A frame that fails does not record a return: it has ended once an event comes from further out. Any
 * list results in a tree, whatever it contains or lacks (soroban-env-host `events/diagnostic.rs`).
 *
 * @param events in the order of recording
 * @param successful whether the invocation succeeded; if so, the end of calls without a return is unknown
 * @param costs of each recorded call, in the same order
 */
export function callTree(
  events: readonly xdr.DiagnosticEvent[],
  successful: boolean,
  costs: readonly CallCost[] = [],
): CallTree {
  const builder = new TreeBuilder(costsInOrder(events, costs));
  for (const event of readable(events)) builder.add(event);
  return builder.finish(successful, events.length > TREE_LIMITS.events);
}

function* readable(events: readonly xdr.DiagnosticEvent[]): Generator<xdr.DiagnosticEvent> {
  if (events.length <= TREE_LIMITS.events) return yield* events;
  yield* events.slice(0, TREE_LIMITS.events - KEPT_TAIL);
  yield* events.slice(-KEPT_TAIL);
}

/** Returns the cost of each call among the events; none if events and costs do not match. */
function costsInOrder(
  events: readonly xdr.DiagnosticEvent[],
  costs: readonly CallCost[],
): Iterator<CallCost> {
  if (costs.length === 0) return [].values();
  const gap = events.findIndex((event) => nameOf(event) === EVENTS_LEFT_OUT);
  const calls = (some: readonly xdr.DiagnosticEvent[]): number =>
    some.filter((event) => nameOf(event) === 'fn_call').length;
  if (gap < 0) return (calls(events) === costs.length ? costs : []).values();
  // Events are left out in the middle, so the remaining calls are the first and the last ones.
  const [first, last] = [calls(events.slice(0, gap)), calls(events.slice(gap))];
  if (first + last > costs.length) return [].values();
  return [...costs.slice(0, first), ...costs.slice(costs.length - last)].values();
}

function nameOf({ event }: xdr.DiagnosticEvent): string | undefined {
  return event.type.name === 'diagnostic' ? symbolOf(event.body.v0.topics[0]) : undefined;
}

class TreeBuilder {
  readonly #costs: Iterator<CallCost>;
  readonly #steps: RecordedStep[] = [];
  readonly #metrics = new Map<string, bigint>();
  #failure: xdr.ScError | undefined;
  /** Open calls, outermost first. */
  #open: RecordedCall[] = [];
  #kept = 0;
  #cut = false;

  constructor(costs: Iterator<CallCost>) {
    this.#costs = costs;
  }

  add({ event }: xdr.DiagnosticEvent): void {
    const { body } = event;
    const { topics, data } = body.v0;
    const from = event.contractId === null ? undefined : contractAddressOf(event.contractId.value);
    if (event.type.name !== 'diagnostic') {
      this.#leaveTo(from);
      this.#keep({ kind: 'event', topics, data });
      return;
    }
    const [name, first, second] = topics;
    switch (symbolOf(name)) {
      case 'fn_call':
        this.#call(from, first, symbolOf(second) ?? '', data);
        return;
      case 'fn_return':
        this.#return(from, symbolOf(first) ?? '', data);
        return;
      case 'error':
        this.#leaveTo(from);
        if (first?.type === 'scvError') this.#keep({ kind: 'error', error: first.error, data });
        return;
      case 'log':
        this.#leaveTo(from);
        this.#keep({ kind: 'log', data });
        return;
      case EVENTS_LEFT_OUT:
        this.#leftOut(data);
        return;
      case 'host_fn_failed':
        if (first?.type === 'scvError') this.#failure = first.error;
        return;
      case 'core_metrics':
        if (data.type === 'scvU64') this.#metrics.set(symbolOf(first) ?? '', data.u64);
        return;
      default:
        this.#leaveTo(from);
        this.#keep({ kind: 'event', topics, data });
    }
  }

  finish(successful: boolean, cut: boolean): CallTree {
    const complete = cut || this.#cut;
    const outcome = successful || complete ? 'unknown' : 'failed';
    for (const call of this.#open) call.outcome = outcome;
    return {
      steps: this.#steps,
      failure: this.#failure,
      metrics: this.#metrics,
      cut: complete,
    };
  }

  #call(
    from: string | undefined,
    called: xdr.ScVal | undefined,
    name: string,
    data: xdr.ScVal,
  ): void {
    this.#leaveTo(from);
    const cost = this.#costs.next();
    const bytes = called?.type === 'scvBytes' ? called.bytes.value : undefined;
    if (bytes?.length !== 32) return;
    const call: RecordedCall = {
      contract: contractAddressOf(bytes),
      function: name,
      arguments: data,
      outcome: 'failed',
      result: undefined,
      cost: cost.done === true ? undefined : cost.value,
      steps: [],
    };
    this.#keep({ kind: 'call', call });
    this.#open.push(call);
  }

  #return(from: string | undefined, name: string, data: xdr.ScVal): void {
    const at = this.#open.findLastIndex((call) => call.contract === from && call.function === name);
    const call = this.#open[at];
    if (call === undefined) return;
    call.outcome = 'returned';
    call.result = data;
    this.#open = this.#open.slice(0, at);
  }

  /** The ends of calls that are open here might be among the missing events. */
  #leftOut(data: xdr.ScVal): void {
    for (const call of this.#open) call.outcome = 'unknown';
    this.#keep({ kind: 'log', data });
    this.#cut = true;
  }

  /** Closes the calls that a contract made, once it reports something itself. */
  #leaveTo(contract: string | undefined): void {
    if (contract === undefined) {
      this.#open = [];
      return;
    }
    const at = this.#open.findLastIndex((call) => call.contract === contract);
    // If no recorded call leads to the contract, its events count as part of the innermost call.
    if (at >= 0) this.#open = this.#open.slice(0, at + 1);
  }

  #keep(step: RecordedStep): void {
    this.#kept += 1;
    if (this.#kept > TREE_LIMITS.steps || this.#open.length >= TREE_LIMITS.depth) {
      this.#cut = true;
      return;
    }
    (this.#open.at(-1)?.steps ?? this.#steps).push(step);
  }
}

function symbolOf(value: xdr.ScVal | undefined): string | undefined {
  return value?.type === 'scvSymbol' ? value.sym.toString() : undefined;
}
