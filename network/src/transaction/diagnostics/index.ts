export { hostFunctionFailedEvent, metricEvent } from './diagnosticEvent.ts';
export { DiagnosticLog } from './diagnosticLog.ts';
