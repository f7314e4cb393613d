import { xdr } from '@stellar/stellar-sdk';
import { addressCredentials } from '../../../common/authorization.ts';
import { oneLine } from '../../../common/visibleText.ts';
import type { CallCost } from '../host/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { type CallTree, callTree, type RecordedCall, type RecordedStep } from './callTree.ts';
import { AMOUNT, amountOf, callName, functionName, namedValue } from './callWords.ts';
import type { ContractBook, KnownContract } from './contractBook.ts';
import type { FunctionInput } from './contractInterface.ts';
import { explainError } from './errorWords.ts';
import { type StorageSource, storageTrace } from './storageTrace.ts';
import type {
  InvocationTrace,
  TracedAuthorization,
  TracedCall,
  TracedFailure,
  TracedStep,
} from './trace.ts';
import { addressText, TextRoom, valueText } from './valueText.ts';

/** Maximum total number of characters in all values of a trace. */
const MAX_TEXT = 400_000;

interface TracedInvocation {
  readonly events: readonly xdr.DiagnosticEvent[];
  readonly successful: boolean;
  /** The signer for credentials of the source account. */
  readonly source: string;
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
  readonly storage: StorageSource | undefined;
  /** The error of the invocation, if the events do not include it. */
  readonly error?: xdr.ScError;
  /** The measured value, if the events do not include it. */
  readonly cpuInstructions?: number;
  readonly memoryBytes?: number;
  /** What each call consumed, if known. */
  readonly calls?: readonly CallCost[];
}

/** Explains an invocation from what the host recorded. The cost is bounded, whatever was recorded. */
export function traceInvocation(invocation: TracedInvocation, book: ContractBook): InvocationTrace {
  const { events, successful, source, auth, storage } = invocation;
  const tree = callTree(events, successful, invocation.calls);
  const room = new TextRoom(MAX_TEXT);
  const tracer = new Tracer(book, readAuthorizations(auth, source, book), room);
  const steps = tracer.steps(tree.steps, undefined);
  const metric = (name: string, measured: number | undefined): number | null => {
    const counted = tree.metrics.get(name);
    return counted === undefined ? (measured ?? null) : Number(counted);
  };
  return {
    successful,
    failure: successful ? null : failureOf(tree, invocation.error, tracer),
    cpuInstructions: metric('cpu_insn', invocation.cpuInstructions),
    memoryBytes: metric('mem_byte', invocation.memoryBytes),
    steps,
    authorization: tracer.authorizations.map(({ shown }) => shown),
    storage: storage === undefined ? [] : storageTrace(storage, book, room),
    cut: tree.cut || room.isUsedUp,
  };
}

class Tracer {
  readonly book: ContractBook;
  readonly authorizations: readonly ReadAuthorization[];
  readonly #room: TextRoom;

  constructor(book: ContractBook, authorizations: readonly ReadAuthorization[], room: TextRoom) {
    this.book = book;
    this.authorizations = authorizations;
    this.#room = room;
  }

  steps(recorded: readonly RecordedStep[], owner: KnownContract | undefined): TracedStep[] {
    return recorded.map((step, at) => this.#step(step, recorded[at - 1], owner));
  }

  #step(
    step: RecordedStep,
    before: RecordedStep | undefined,
    owner: KnownContract | undefined,
  ): TracedStep {
    switch (step.kind) {
      case 'call':
        return { kind: 'call', ...this.#call(step.call) };
      case 'event':
        return this.#event(step, owner);
      case 'log':
        return { kind: 'log', text: this.words(step.data) };
      case 'error':
        return { kind: 'error', ...this.error(step, before, owner) };
    }
  }

  #call(call: RecordedCall): TracedCall {
    const contract = this.book(call.contract);
    const { functions, results } = contract.interface;
    const inputs = functions.get(call.function);
    const result = results.get(call.function);
    return {
      contract: { id: contract.id, name: contract.name },
      function: functionName(call.function),
      arguments: argumentsOf(call.arguments, inputs).map((value, at) =>
        namedValue(value, inputs?.[at], contract, this.#room),
      ),
      outcome: call.outcome,
      result:
        call.result === undefined
          ? null
          : namedValue(
              call.result,
              result && { name: isAmount(call.function) ? AMOUNT : '', type: result },
              contract,
              this.#room,
            ),
      authorizedBy: authorizersOf(this.authorizations, call),
      cpuInstructions: call.cost?.cpuInstructions ?? null,
      memoryBytes: call.cost?.memoryBytes ?? null,
      steps: this.steps(call.steps, contract),
    };
  }

  #event(
    { topics, data }: Extract<RecordedStep, { kind: 'event' }>,
    owner: KnownContract | undefined,
  ): TracedStep {
    return {
      kind: 'event',
      topics: topics.map((topic) => valueText(topic, this.#room)),
      data: valueText(data, this.#room),
      ...(owner === undefined ? {} : amountOf(data, owner)),
    };
  }

  /** Explains an error, which might come from a nested call: a failed call passes its own error on to its caller. */
  error(
    { error, data }: Extract<RecordedStep, { kind: 'error' }>,
    before: RecordedStep | undefined,
    owner: KnownContract | undefined,
  ) {
    const text = this.words(data);
    const passedOn = before?.kind === 'call' && before.call.outcome === 'failed';
    const whose = passedOn ? this.book(before.call.contract) : owner;
    return { ...explainError(error, whose?.interface), text };
  }

  /** A message with the values that the host adds to it. */
  words(data: xdr.ScVal): string {
    const parts = data.type === 'scvVec' ? (data.vec ?? []) : [data];
    const texts = parts.map((part, at) =>
      at === 0 && part.type === 'scvString'
        ? oneLine(part.str.toString())
        : valueText(part, this.#room),
    );
    const [message = '', ...values] = texts;
    return values.length === 0 ? message : `${message}: ${values.join(', ')}`;
  }
}

/** Functions of an asset contract whose result is an amount. */
function isAmount(name: string): boolean {
  return name === 'balance' || name === 'allowance';
}

/** The host records one argument as itself and several as a vector; the interface shows which it was. */
function argumentsOf(data: xdr.ScVal, inputs: readonly FunctionInput[] | undefined): xdr.ScVal[] {
  if (inputs?.length === 1) return [data];
  if (data.type === 'scvVec') return [...(data.vec ?? [])];
  return data.type === 'scvVoid' ? [] : [data];
}

/** Follows the last failed call to where the failure began. */
function failureOf(
  { steps, failure }: CallTree,
  whole: xdr.ScError | undefined,
  tracer: Tracer,
): TracedFailure | null {
  let within: RecordedCall | undefined;
  let inside = steps;
  // A contract that could not be entered did not record anything; its caller has the reason.
  let outside: readonly RecordedStep[] = [];
  let caller: RecordedCall | undefined;
  for (;;) {
    const at = inside.findLastIndex((step) => step.kind === 'call');
    const next = inside[at];
    if (next?.kind !== 'call' || next.call.outcome !== 'failed') break;
    outside = inside.slice(at + 1);
    caller = within;
    within = next.call;
    inside = next.call.steps;
  }
  const contract = within && tracer.book(within.contract);
  const place = {
    contract: contract === undefined ? null : { id: contract.id, name: contract.name },
    function: within === undefined ? null : functionName(within.function),
  };
  const own = inside.findIndex(isError);
  const step = inside[own] ?? outside.find(isError);
  if (step?.kind === 'error') {
    const owner = own >= 0 ? contract : caller && tracer.book(caller.contract);
    return { ...place, ...tracer.error(step, inside[own - 1], owner) };
  }
  const error = failure ?? whole;
  if (error === undefined) return null;
  return { ...place, ...explainError(error, contract?.interface), text: '' };
}

function isError(step: RecordedStep): boolean {
  return step.kind === 'error';
}

/** Maximum number of authorizations, and of calls of one, that are shown. */
const MAX_ENTRIES = 50;
const MAX_CALLS = 50;

/** An authorization, and the calls that it covers in comparable form. */
interface ReadAuthorization {
  readonly shown: TracedAuthorization;
  readonly covered: readonly CoveredCall[];
}

interface CoveredCall {
  readonly contract: string;
  readonly function: string;
  /** Base64 of the arguments, as the host records them. */
  readonly arguments: string;
}

/** @param source the signer for credentials of the source account */
function readAuthorizations(
  entries: readonly xdr.SorobanAuthorizationEntry[],
  source: string,
  book: ContractBook,
): ReadAuthorization[] {
  return entries.slice(0, MAX_ENTRIES).map(({ credentials, rootInvocation }) => {
    const covered = coveredCalls(rootInvocation);
    const signed = signedBy(credentials);
    const validUntil = signed?.signatureExpirationLedger ?? 0;
    return {
      covered,
      shown: {
        by: signed === undefined ? source : addressText(signed.address),
        bySource: signed === undefined,
        validUntilLedger: validUntil === 0 ? null : validUntil,
        calls: covered.map((call) => callName(book(call.contract), call.function)),
      },
    };
  });
}

/** Delegated credentials have a signer like the others, and additional signers (CAP-71). */
function signedBy(credentials: xdr.SorobanCredentials): xdr.SorobanAddressCredentials | undefined {
  return credentials.type === 'sorobanCredentialsAddressWithDelegates'
    ? credentials.addressWithDelegates.addressCredentials
    : addressCredentials(credentials);
}

/** Contract calls, outermost first, without the creation of contracts. */
function coveredCalls(root: xdr.SorobanAuthorizedInvocation): CoveredCall[] {
  const calls: CoveredCall[] = [];
  const waiting = [root];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (calls.length >= MAX_CALLS) break;
    waiting.push(...next.subInvocations);
    if (next.function.type !== 'sorobanAuthorizedFunctionTypeContractFn') continue;
    const { contractAddress, functionName, args } = next.function.contractFn;
    calls.push({
      contract: addressText(contractAddress),
      function: functionName.toString(),
      arguments: comparable(recorded(args)),
    });
  }
  return calls;
}

/** The arguments, as the host records them in `fn_call`. */
function recorded(args: readonly xdr.ScVal[]): xdr.ScVal {
  const [first] = args;
  if (first === undefined) return xdr.ScVal.scvVoid();
  return args.length === 1 ? first : xdr.ScVal.scvVec([...args]);
}

function comparable(value: xdr.ScVal): string {
  return Buffer.from(encodeXdr(value)).toString('base64');
}

/**
 * Returns the addresses whose authorization covers a call. A contract can require authorization for other arguments than those
 * of its call (`require_auth_for_args`), so if no authorization has these arguments, only contract and function are compared.
 */
function authorizersOf(
  authorizations: readonly ReadAuthorization[],
  call: { readonly contract: string; readonly function: string; readonly arguments: xdr.ScVal },
): string[] {
  if (authorizations.length === 0) return [];
  const named = authorizations.filter(({ covered }) => covered.some((one) => isCall(one, call)));
  if (named.length === 0) return [];
  const given = comparable(call.arguments);
  const exact = named.filter(({ covered }) =>
    covered.some((one) => isCall(one, call) && one.arguments === given),
  );
  const found = exact.length > 0 ? exact : named;
  return [...new Set(found.map(({ shown }) => shown.by))];
}

function isCall(
  one: CoveredCall,
  call: { readonly contract: string; readonly function: string },
): boolean {
  return one.contract === call.contract && one.function === call.function;
}
