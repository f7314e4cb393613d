import { Address, xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../../common/strKey.ts';
import { LedgerServiceError } from '../close/index.ts';
import {
  errorAnswer,
  parseRequest,
  RPC_METHOD_NAMES,
  RpcError,
  simulateInvocation,
  simulationRequest,
} from '../rpc/index.ts';
import type { WatchReads } from '../state/index.ts';
import {
  type SimulationTrace,
  type TransactionTrace,
  traceTransaction as traceIncluded,
  traceSimulation as traceSimulated,
} from '../trace/index.ts';
import type { ControlCalls, ControlMethod, FaultKind } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';
import { expireEntry, setBalance, setEntry } from './entryMethods.ts';
import { setSettings, upgradeProtocol } from './settingsMethods.ts';
import { dumpState, loadState, reset, revert, snapshot } from './stateMethods.ts';
import {
  advanceLedgers,
  advanceTime,
  closeLedger,
  setCloseMode,
  setTimeBounds,
} from './timeMethods.ts';

const MODES = ['enforce', 'record', 'record_allow_nonroot'] as const;

/**
 * Simulates a contract call and explains what it would do. Nothing changes, and the transaction does not need signatures.
 * @throws RpcError
 */
async function traceSimulation(
  { service, simulator, accountNames, prefetch }: ControlNetwork,
  params: unknown,
): Promise<SimulationTrace> {
  const read = new ControlParams(params, ['transaction', 'authMode']);
  const envelope = read.base64('transaction', 'a TransactionEnvelope', (bytes) =>
    xdr.TransactionEnvelope.fromXdr(bytes),
  );
  const authMode = read.has('authMode') ? read.oneOf('authMode', MODES) : '';
  const request = simulationRequest(envelope, authMode, true);
  if (typeof request === 'string') throw invalid(request);
  if (request.kind !== 'invoke') {
    throw invalid('transaction must call a contract; nothing else can be traced');
  }
  const run = (watch: WatchReads) => simulateInvocation(simulator, request, watch);
  await prefetch(async (watch) => {
    await run(watch);
  });
  const simulated = await run((read) => read());
  return traceSimulated(simulated, service.engine.state, accountNames);
}

const KINDS: readonly FaultKind[] = ['tryAgainLater', 'timeout', 'lost', 'late', 'error5xx', 'lag'];
/** The only method in which a fault can occur. */
const OWN_METHOD: Partial<Record<FaultKind, string>> = {
  tryAgainLater: 'sendTransaction',
  lag: 'getTransaction',
};
const WAITS: ReadonlySet<FaultKind> = new Set(['timeout', 'lost', 'late']);
const MAX_TIMES = 1_000_000;
const MAX_MILLISECONDS = 600_000;
const DEFAULT_MILLISECONDS = 1_000;

/** Makes the next calls of a Stellar RPC method fail as they can fail on a public network. @throws RpcError */
function injectFault({ faults }: ControlNetwork, params: unknown): { pending: number } {
  const given = new ControlParams(params, ['method', 'kind', 'times', 'milliseconds']);
  const method = given.oneOf('method', RPC_METHOD_NAMES);
  const kind = given.oneOf('kind', KINDS);
  const own = OWN_METHOD[kind];
  if (own !== undefined && own !== method) throw invalid(`${kind} is only available for ${own}`);
  const times = given.whole('times', [1, MAX_TIMES], 1);
  if (!WAITS.has(kind) && given.has('milliseconds')) {
    throw invalid(`milliseconds is only allowed with ${[...WAITS].join(', ')}`);
  }
  const milliseconds = given.whole('milliseconds', [0, MAX_MILLISECONDS], DEFAULT_MILLISECONDS);
  return { pending: faults.add(method, { kind, milliseconds }, times) };
}

/** Removes all pending faults. @throws RpcError */
function clearFaults({ faults }: ControlNetwork, params: unknown): { cleared: number } {
  new ControlParams(params, []);
  return { cleared: faults.clear() };
}

/** Removes a waiting transaction; nobody is charged for it. @throws RpcError, LedgerServiceError */
function dropTransaction({ service }: ControlNetwork, params: unknown): { dropped: boolean } {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  return { dropped: service.dropWaiting(hash) > 0 };
}

/** JSON-RPC 2.0 server for the control methods, with one call per request. */
export class ControlServer {
  readonly #network: ControlNetwork;
  readonly #onFault: (fault: Error) => void;

  /** @param onFault called with errors whose details the caller does not receive */
  constructor(network: ControlNetwork, onFault: (fault: Error) => void) {
    this.#network = network;
    this.#onFault = onFault;
  }

  /** Calls one method. @throws RpcError, LedgerServiceError */
  async call<M extends ControlMethod>(
    method: M,
    params?: ControlCalls[M]['params'],
  ): Promise<ControlCalls[M]['result']> {
    // An untyped caller can pass any name.
    if (!isControlMethod(method)) throw unknownMethod(method);
    return await CONTROL_METHODS[method](this.#network, params);
  }

  /**
   * Answers a request; returns undefined for a notification.
   * @param left aborts when the caller disconnects
   */
  async answer(body: string, left?: AbortSignal): Promise<string | undefined> {
    const request = parseJson(body);
    const parsed = request instanceof RpcError ? request : parseRequest(request);
    if (parsed instanceof RpcError) return JSON.stringify(errorAnswer(null, parsed));
    const { id, method, params } = parsed;
    const outcome = await this.#outcome(method, params, left);
    if (id === undefined) return undefined;
    return JSON.stringify(
      outcome instanceof RpcError
        ? errorAnswer(id, outcome)
        : { jsonrpc: '2.0', id, result: outcome },
    );
  }

  async #outcome(method: string, params: unknown, left?: AbortSignal): Promise<unknown> {
    if (!isControlMethod(method)) {
      return unknownMethod(method);
    }
    try {
      return await CONTROL_METHODS[method](this.#network, params, left);
    } catch (error) {
      if (error instanceof RpcError) return error;
      if (error instanceof LedgerServiceError) return new RpcError('internal', error.message);
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#onFault(fault);
      return new RpcError('internal', fault.message);
    }
  }
}

function unknownMethod(method: unknown): RpcError {
  return new RpcError('methodNotFound', `there is no method ${String(method)}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return new RpcError('parse', 'the request is not JSON');
  }
}

type Implementation<M extends ControlMethod> = (
  network: ControlNetwork,
  params: unknown,
  /** Aborts when the caller disconnects. */
  left?: AbortSignal,
) => ControlCalls[M]['result'] | Promise<ControlCalls[M]['result']>;

/** The control methods, by name. */
const CONTROL_METHODS: { readonly [M in ControlMethod]: Implementation<M> } = {
  svc_advanceLedgers: advanceLedgers,
  svc_advanceTime: advanceTime,
  svc_autoImpersonate: autoImpersonate,
  svc_clearFaults: clearFaults,
  svc_closeLedger: closeLedger,
  svc_dropTransaction: dropTransaction,
  svc_dumpState: dumpState,
  svc_expireEntry: expireEntry,
  svc_impersonate: impersonate,
  svc_injectFault: injectFault,
  svc_loadState: loadState,
  svc_reset: reset,
  svc_revert: revert,
  svc_setBalance: setBalance,
  svc_setCloseMode: setCloseMode,
  svc_setEntry: setEntry,
  svc_setSettings: setSettings,
  svc_setTimeBounds: setTimeBounds,
  svc_snapshot: snapshot,
  svc_traceSimulation: traceSimulation,
  svc_traceTransaction: traceTransaction,
  svc_upgradeProtocol: upgradeProtocol,
};

function isControlMethod(name: string): name is ControlMethod {
  return Object.hasOwn(CONTROL_METHODS, name);
}

/**
 * Turns acceptance of unsigned transactions, operations and authorization entries of an account, or of unsigned authorization
 * entries of a contract, on or off. @throws RpcError
 */
function impersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { accounts: string[] } {
  const given = new ControlParams(params, ['account', 'on']);
  const address = addressOf(given.text('account'));
  if (address === undefined) throw invalid('account must be an address G… or C…');
  engine.impersonation.set(address, given.flag('on'));
  const accounts = engine.impersonation.list().map((one) => Address.fromScAddress(one).toString());
  return { accounts };
}

function addressOf(text: string): xdr.ScAddress | undefined {
  const account = decodeStrKey('account', text);
  if (account !== undefined) {
    return xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(account));
  }
  const contract = decodeStrKey('contract', text);
  return contract && xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(contract));
}

/** Turns acceptance of every account's transactions and operations without signatures on or off. @throws RpcError */
function autoImpersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { on: boolean } {
  engine.impersonation.everyone = new ControlParams(params, ['on']).flag('on');
  return { on: engine.impersonation.everyone };
}

/** Explains a transaction in a closed ledger, found by its hash or that of a fee bump's inner transaction. @throws RpcError */
function traceTransaction(
  { service, accountNames }: ControlNetwork,
  params: unknown,
): TransactionTrace {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  const found = service.history.transaction(hash);
  if (found === undefined) throw invalid(`no transaction with this hash is kept: ${hash}`);
  return traceIncluded(found, service.engine, accountNames);
}
