import { LedgerServiceError } from '../close/index.ts';
import { errorAnswer, parseRequest, RpcError } from '../rpc/index.ts';
import type { ControlCalls, ControlMethod } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { expireEntry, setBalance, setEntry } from './entryMethods.ts';
import { clearFaults, dropTransaction, injectFault } from './faultMethods.ts';
import { autoImpersonate, impersonate } from './impersonate.ts';
import { setSettings, upgradeProtocol } from './settingsMethods.ts';
import { dumpState, loadState, reset, revert, snapshot } from './stateMethods.ts';
import {
  advanceLedgers,
  advanceTime,
  closeLedger,
  setCloseMode,
  setTimeBounds,
} from './timeMethods.ts';
import { traceSimulation } from './traceSimulation.ts';
import { traceTransaction } from './traceTransaction.ts';

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
