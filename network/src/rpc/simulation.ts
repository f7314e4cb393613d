import { randomBytes } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { SimulateInvokeOutcome, SimulationAuth } from '../host/index.ts';
import { type Simulation, type Simulator, SimulatorError } from '../simulator/index.ts';
import type { WatchReads } from '../state/index.ts';
import { accountOfMuxed } from '../transaction/balances/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { RpcError } from './rpcError.ts';
import { invocationAnswer } from './simulationAnswer.ts';

/** A contract call to simulate. */
export interface InvocationRequest {
  readonly kind: 'invoke';
  readonly body: xdr.InvokeHostFunctionOp;
  readonly source: xdr.PublicKey;
  readonly auth: SimulationAuth;
}

export type SimulationRequest =
  | InvocationRequest
  | { readonly kind: 'extend'; readonly keys: readonly xdr.LedgerKey[]; readonly extendTo: number }
  | { readonly kind: 'restore'; readonly keys: readonly xdr.LedgerKey[] };

/** A simulated contract call. */
export interface SimulatedInvocation {
  readonly request: InvocationRequest;
  readonly outcome: SimulateInvokeOutcome;
  /** Sequence of the ledger on which it ran. */
  readonly sequence: number;
}

/** Returns the simulation to run, or why there is none. */
export function simulationRequest(
  envelope: xdr.TransactionEnvelope,
  authMode: string,
  addressV2: boolean,
): SimulationRequest | string {
  const { operations, memo, sourceAccount, sorobanData } = contentOf(envelope);
  const [operation] = operations;
  if (operation === undefined || operations.length !== 1) {
    return 'Transaction contains more than one operation';
  }
  if (memo.type !== 'memoNone') {
    return 'Transaction contains a memo. Soroban transactions do not support memos.';
  }
  const { body } = operation;
  const auth = authOf(body, authMode, addressV2);
  if (typeof auth === 'string') return auth;
  if (body.type === 'invokeHostFunction') {
    const source = accountOfMuxed(operation.sourceAccount ?? sourceAccount);
    return { kind: 'invoke', body: body.invokeHostFunctionOp, source, auth };
  }
  if (sorobanData === undefined) {
    return 'To perform a SimulateTransaction for ExtendFootprintTtl or RestoreFootprint operations, SorobanTransactionData must be provided';
  }
  const { readOnly, readWrite } = sorobanData.resources.footprint;
  return body.type === 'extendFootprintTtl'
    ? { kind: 'extend', keys: readOnly, extendTo: body.extendFootprintTtlOp.extendTo }
    : { kind: 'restore', keys: readWrite };
}

interface Content {
  readonly operations: readonly xdr.Operation[];
  readonly memo: xdr.Memo;
  readonly sourceAccount: xdr.MuxedAccount;
  readonly sorobanData: xdr.SorobanTransactionData | undefined;
}

function contentOf(envelope: xdr.TransactionEnvelope): Content {
  if (envelope.type === 'envelopeTypeTxV0') {
    const { operations, memo, sourceAccountEd25519 } = envelope.v0.tx;
    const sourceAccount = xdr.MuxedAccount.keyTypeEd25519(sourceAccountEd25519);
    return { operations, memo, sourceAccount, sorobanData: undefined };
  }
  const inner = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx : envelope;
  const { operations, memo, sourceAccount, ext } = inner.v1.tx;
  const sorobanData = ext.type === 'v0' ? undefined : ext.sorobanData;
  return { operations, memo, sourceAccount, sorobanData };
}

/** @param instructionLeeway minimum number of instructions to add to those measured */
export function simulationOf(
  { body, source, auth }: InvocationRequest,
  instructionLeeway: number,
): Simulation {
  return {
    hostFunction: encodeXdr(body.hostFunction),
    sourceAccount: encodeXdr(source),
    auth,
    prngSeed: prngSeed(),
    instructionLeeway,
    diagnostics: true,
  };
}

/**
 * Runs a call on top of the last closed ledger and returns its outcome rather than an RPC answer.
 * @param watch called around each step that reads entries
 * @throws RpcError if too many long simulations are waiting
 */
export async function simulateInvocation(
  simulator: Simulator,
  request: InvocationRequest,
  watch: WatchReads,
): Promise<SimulatedInvocation> {
  const rendering = { format: NOT_RENDERED, withOutcome: true };
  const { outcome, sequence } = await orRpcError(
    simulator.simulate(simulationOf(request, 0), rendering, watch),
  );
  if (outcome === undefined) throw new Error('the simulation thread did not return an outcome');
  return { request, outcome, sequence };
}

/** Converts the error of a simulation that did not finish to an RPC error. @throws RpcError */
export async function orRpcError<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new RpcError(error.code === 'BUSY' ? 'limitExceeded' : 'internal', error.message);
  }
}

const MODES = ['enforce', 'record', 'record_allow_nonroot'];

/**
 * Determines how a simulation treats authorization: according to `authMode`, otherwise enforcing if the operation carries
 * entries and recording if it does not.
 * @param addressV2 records address-bound credentials (CAP-71), if the caller requests `useUpgradedAuth`
 * @returns a text if the mode is not allowed
 */
function authOf(
  body: xdr.OperationBody,
  authMode: string,
  addressV2: boolean,
): SimulationAuth | string {
  if (authMode !== '' && !MODES.includes(authMode)) {
    return `optional 'authMode' must be one of ${MODES.join(',')} when included`;
  }
  switch (body.type) {
    case 'invokeHostFunction':
      return invocationAuth(body.invokeHostFunctionOp.auth, authMode, addressV2);
    case 'extendFootprintTtl':
    case 'restoreFootprint':
      return authMode === ''
        ? record(false, addressV2)
        : 'cannot set authMode with non-InvokeHostFunction operations';
    default:
      return `transaction contains unsupported operation type: ${operationName(body)}`;
  }
}

function invocationAuth(
  entries: readonly xdr.SorobanAuthorizationEntry[],
  authMode: string,
  addressV2: boolean,
): SimulationAuth | string {
  if (authMode === 'enforce' || (authMode === '' && entries.length > 0)) {
    return { mode: 'enforce', entries: entries.map(encodeXdr) };
  }
  if (entries.length > 0) return `cannot set authMode to '${authMode}' with an auth footprint`;
  return record(authMode === 'record_allow_nonroot', addressV2);
}

function record(allowNonRoot: boolean, addressV2: boolean): SimulationAuth {
  return { mode: 'record', allowNonRoot, addressV2 };
}

/** The name of an operation, as Stellar RPC writes it. */
function operationName({ type }: xdr.OperationBody): string {
  return `OperationType${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** Used instead of a format if the outcome itself is wanted rather than an answer. */
const NOT_RENDERED = 'none';

/** Renders the answer of `simulateTransaction` as text. */
export function renderSimulation(
  outcome: SimulateInvokeOutcome,
  sequence: number,
  format: string,
): string {
  if (format === NOT_RENDERED) return '';
  return JSON.stringify(invocationAnswer(outcome, sequence, format === 'json' ? 'json' : 'base64'));
}

const SEED_BYTES = 32;
/** Number of seeds requested from the system at once, because one takes as long as many. */
const TAKEN = 64;

let taken = Buffer.alloc(0);
let at = 0;

/** A seed for a simulation's random numbers, different for each simulation. */
export function prngSeed(): Uint8Array {
  if (at === taken.length) {
    taken = randomBytes(TAKEN * SEED_BYTES);
    at = 0;
  }
  const seed = taken.subarray(at, at + SEED_BYTES);
  at += SEED_BYTES;
  return seed;
}
