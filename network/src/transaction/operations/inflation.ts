import { xdr } from '@stellar/stellar-sdk';
import type { OperationRules } from './operation.ts';

/** Removed in protocol 12 (CAP-26): every use results in `opNOT_SUPPORTED`. */
export const inflation: OperationRules<'inflation'> = {
  type: 'inflation',
  threshold: () => 'low',
  isSupported: () => false,
  checkValid: () => xdr.OperationResult.opNotSupported(),
  apply: () => xdr.OperationResult.opNotSupported(),
};
