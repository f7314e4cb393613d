import type { xdr } from '@stellar/stellar-sdk';
import type { SimulationAuth } from '../host/index.ts';
import { encodeXdr } from '../xdr/index.ts';

const MODES = ['enforce', 'record', 'record_allow_nonroot'];

/**
 * How a simulation treats authorization: as `authMode` says, else enforcing where the operation carries entries and
 * recording where it does not.
 * @returns why the mode does not fit, as text
 */
export function authOf(body: xdr.OperationBody, authMode: string): SimulationAuth | string {
  if (authMode !== '' && !MODES.includes(authMode)) {
    return `optional 'authMode' must be one of ${MODES.join(',')} when included`;
  }
  switch (body.type) {
    case 'invokeHostFunction':
      return invocationAuth(body.invokeHostFunctionOp.auth, authMode);
    case 'extendFootprintTtl':
    case 'restoreFootprint':
      return authMode === ''
        ? record(false)
        : 'cannot set authMode with non-InvokeHostFunction operations';
    default:
      return `transaction contains unsupported operation type: ${operationName(body)}`;
  }
}

function invocationAuth(
  entries: readonly xdr.SorobanAuthorizationEntry[],
  authMode: string,
): SimulationAuth | string {
  if (authMode === 'enforce' || (authMode === '' && entries.length > 0)) {
    return { mode: 'enforce', entries: entries.map(encodeXdr) };
  }
  if (entries.length > 0) return `cannot set authMode to '${authMode}' with an auth footprint`;
  return record(authMode === 'record_allow_nonroot');
}

function record(allowNonRoot: boolean): SimulationAuth {
  return { mode: 'record', allowNonRoot, addressV2: false };
}

/** As the Go packages write it. */
function operationName({ type }: xdr.OperationBody): string {
  return `OperationType${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}
