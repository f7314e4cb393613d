export { DiagnosticLog, hostFunctionFailedEvent, metricEvent } from './diagnosticLog.ts';
