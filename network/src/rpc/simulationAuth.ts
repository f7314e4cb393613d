import type { xdr } from '@stellar/stellar-sdk';
import type { SimulationAuth } from '../host/index.ts';
import { encodeXdr } from '../xdr/index.ts';

const MODES = ['enforce', 'record', 'record_allow_nonroot'];

/**
 * Determines how a simulation treats authorization: according to `authMode`, otherwise enforcing if the operation carries
 * entries and recording if it does not.
 * @param addressV2 records address-bound credentials (CAP-71), if the caller requests `useUpgradedAuth`
 * @returns a text if the mode is not allowed
 */
export function authOf(
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
