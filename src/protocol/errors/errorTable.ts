import { AUTHORIZATION_ERRORS } from './authorizationErrors.ts';
import { DISCOVERY_ERRORS } from './discoveryErrors.ts';
import type { ErrorRow } from './errorRow.ts';
import { PAYLOAD_ERRORS } from './payloadErrors.ts';
import { REQUEST_ERRORS } from './requestErrors.ts';
import { SETTLE_ERRORS } from './settleErrors.ts';
import { SIMULATION_ERRORS } from './simulationErrors.ts';
import { UPTO_LEDGER_ERRORS } from './uptoLedgerErrors.ts';
import { UPTO_PAYLOAD_ERRORS } from './uptoPayloadErrors.ts';

// Marked as pure, so that bundles that report no failure of the service leave the table out.
const TABLE = /* @__PURE__ */ (() =>
  ({
    ...REQUEST_ERRORS,
    ...PAYLOAD_ERRORS,
    ...SIMULATION_ERRORS,
    ...AUTHORIZATION_ERRORS,
    ...UPTO_PAYLOAD_ERRORS,
    ...UPTO_LEDGER_ERRORS,
    ...SETTLE_ERRORS,
    ...DISCOVERY_ERRORS,
  }) as const)();

/** Our own name of a failure: each failure has one, even if several share a name on the wire. */
export type ErrorCode = keyof typeof TABLE;

/** The only table of failures: our code → names on the wire, HTTP status, message, fix. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = TABLE;

/** Codes that only a settlement can return. */
export const SETTLE_CODES = /* @__PURE__ */ Object.keys(SETTLE_ERRORS) as readonly ErrorCode[];

/** Codes that only the discovery endpoints return. */
export const DISCOVERY_CODES = /* @__PURE__ */ Object.keys(
  DISCOVERY_ERRORS,
) as readonly ErrorCode[];

/** Returns the name sent as `extra.code`: the specification's if it has one, otherwise ours. */
export function publicCode(code: ErrorCode): string {
  return ERROR_TABLE[code].specification ?? code;
}
