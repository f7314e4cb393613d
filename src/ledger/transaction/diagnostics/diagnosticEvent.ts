import { xdr } from '@stellar/stellar-sdk';
import { RecentMap } from '../../state/index.ts';

const NO_EXT = xdr.ExtensionPoint.v0();
const ERROR = xdr.ScVal.scvSymbol('error');
const CORE_METRICS = xdr.ScVal.scvSymbol('core_metrics');
const HOST_FN_FAILED = xdr.ScVal.scvSymbol('host_fn_failed');

/** Something that the engine refused, in words (stellar-core `DiagnosticEventManager::pushError`). */
export function errorEvent(
  error: xdr.ScError,
  message: string,
  args: readonly xdr.ScVal[],
): xdr.DiagnosticEvent {
  const text = xdr.ScVal.scvString(message);
  const data = args.length === 0 ? text : xdr.ScVal.scvVec([text, ...args]);
  return diagnosticEvent(false, [ERROR, xdr.ScVal.scvError(error)], data);
}

/** Values that are remembered of each metric: invocations of one kind count the same again and again. */
const REMEMBERED_VALUES = 128;

type Values = RecentMap<number, xdr.DiagnosticEvent>;

/** By the names of metrics, of which there are a score. */
const metrics = { succeeded: new Map<string, Values>(), failed: new Map<string, Values>() };

/** One number that the engine measured about an invocation. */
export function metricEvent(success: boolean, name: string, value: number): xdr.DiagnosticEvent {
  const byName = success ? metrics.succeeded : metrics.failed;
  let values = byName.get(name);
  if (values === undefined) {
    values = new RecentMap(REMEMBERED_VALUES);
    byName.set(name, values);
  }
  let event = values.get(value);
  if (event === undefined) {
    const topics = [CORE_METRICS, xdr.ScVal.scvSymbol(name)];
    event = diagnosticEvent(success, topics, xdr.ScVal.scvU64(BigInt(value)));
    values.set(value, event);
  }
  return event;
}

/** The host function as a whole failed with this error. */
export function hostFunctionFailedEvent(error: xdr.ScError): xdr.DiagnosticEvent {
  return diagnosticEvent(false, [HOST_FN_FAILED, xdr.ScVal.scvError(error)], xdr.ScVal.scvVoid());
}

function diagnosticEvent(
  inSuccessfulContractCall: boolean,
  topics: xdr.ScVal[],
  data: xdr.ScVal,
): xdr.DiagnosticEvent {
  return new xdr.DiagnosticEvent({
    inSuccessfulContractCall,
    event: new xdr.ContractEvent({
      ext: NO_EXT,
      contractId: null,
      type: xdr.ContractEventType.diagnostic,
      body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
    }),
  });
}
