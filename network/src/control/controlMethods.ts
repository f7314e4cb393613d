import { advanceLedgers } from './advanceLedgers.ts';
import { advanceTime } from './advanceTime.ts';
import { autoImpersonate } from './autoImpersonate.ts';
import { clearFaults } from './clearFaults.ts';
import { closeLedger } from './closeLedger.ts';
import type { ControlCalls, ControlMethod } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { dropTransaction } from './dropTransaction.ts';
import { dumpState } from './dumpState.ts';
import { expireEntry } from './expireEntry.ts';
import { impersonate } from './impersonate.ts';
import { injectFault } from './injectFault.ts';
import { loadState } from './loadState.ts';
import { reset } from './reset.ts';
import { revert } from './revert.ts';
import { setBalance } from './setBalance.ts';
import { setCloseMode } from './setCloseMode.ts';
import { setEntry } from './setEntry.ts';
import { setSettings } from './setSettings.ts';
import { setTimeBounds } from './setTimeBounds.ts';
import { snapshot } from './snapshot.ts';
import { traceSimulation } from './traceSimulation.ts';
import { traceTransaction } from './traceTransaction.ts';
import { upgradeProtocol } from './upgradeProtocol.ts';

type Implementation<M extends ControlMethod> = (
  network: ControlNetwork,
  params: unknown,
  /** Aborts when the caller disconnects. */
  left?: AbortSignal,
) => ControlCalls[M]['result'] | Promise<ControlCalls[M]['result']>;

/** The control methods, by name. */
export const CONTROL_METHODS: { readonly [M in ControlMethod]: Implementation<M> } = {
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

export function isControlMethod(name: string): name is ControlMethod {
  return Object.hasOwn(CONTROL_METHODS, name);
}
