import { xdr } from '@stellar/stellar-sdk';
import { RecentMap } from '../../state/index.ts';

/** The refusing part of the system, as in an `ScError`. */
type ErrorArea = 'sceBudget' | 'sceStorage' | 'sceValue';
type ErrorCode = 'scecExceededLimit' | 'scecInvalidInput' | 'scecUnexpectedType';

/** Collects the diagnostic events of one transaction, or drops them if they were not requested. */
export class DiagnosticLog {
  readonly enabled: boolean;
  readonly events: xdr.DiagnosticEvent[] = [];

  constructor(enabled: boolean) {
    this.enabled = enabled;
  }

  push(event: xdr.DiagnosticEvent): void {
    if (this.enabled) this.events.push(event);
  }

  /** Records why the engine itself refused something; numbers are appended as `u64`. */
  error(
    area: ErrorArea,
    code: ErrorCode,
    message: string,
    values: readonly (number | bigint | xdr.ScVal)[] = [],
  ): void {
    if (!this.enabled) return;
    const error = xdr.ScError[area](xdr.ScErrorCode[code]);
    const args = values.map((value) =>
      typeof value === 'object' ? value : xdr.ScVal.scvU64(BigInt(value)),
    );
    this.events.push(errorEvent(error, message, args));
  }
}

const NO_EXT = xdr.ExtensionPoint.v0();
const ERROR = xdr.ScVal.scvSymbol('error');
const CORE_METRICS = xdr.ScVal.scvSymbol('core_metrics');
const HOST_FN_FAILED = xdr.ScVal.scvSymbol('host_fn_failed');

/** The event for something that the engine refused (stellar-core `DiagnosticEventManager::pushError`). */
function errorEvent(
  error: xdr.ScError,
  message: string,
  args: readonly xdr.ScVal[],
): xdr.DiagnosticEvent {
  const text = xdr.ScVal.scvString(message);
  const data = args.length === 0 ? text : xdr.ScVal.scvVec([text, ...args]);
  return diagnosticEvent(false, [ERROR, xdr.ScVal.scvError(error)], data);
}

/** How many values of each metric are cached: invocations of one kind have the same values again and again. */
const REMEMBERED_VALUES = 128;

type Values = RecentMap<number, xdr.DiagnosticEvent>;

/** By metric name; there are about twenty. */
const metrics = { succeeded: new Map<string, Values>(), failed: new Map<string, Values>() };

/** The event for one metric of an invocation. */
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

/** The event for the error with which the host function failed. */
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
