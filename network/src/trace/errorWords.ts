import type { xdr } from '@stellar/stellar-sdk';
import type { ContractInterface } from './contractInterface.ts';
import { errorCode } from './valueText.ts';

/** An error of a contract or of the host, explained. */
export interface TracedError {
  /** In the host's notation: `Error(Contract, #10)`. */
  readonly code: string;
  /** Its name in the contract's own list of errors. */
  readonly name: string | null;
  /** What it means. */
  readonly meaning: string;
}

type Area = Exclude<xdr.ScError['type'], 'sceContract'>;
type Code = xdr.ScErrorCode['name'];

const AREAS: Readonly<Record<Area, string>> = {
  sceWasmVm: 'the WebAssembly code',
  sceContext: 'the context of the call',
  sceStorage: 'the storage',
  sceObject: 'a host value',
  sceCrypto: 'cryptography',
  sceEvents: 'events',
  sceBudget: 'the budget',
  sceValue: 'a value',
  sceAuth: 'authorization',
};

const CODES: Readonly<Record<Code, string>> = {
  scecArithDomain: 'a calculation has no valid result',
  scecIndexBounds: 'an index is out of bounds',
  scecInvalidInput: 'an input is invalid',
  scecMissingValue: 'something is missing',
  scecExistingValue: 'something already exists',
  scecExceededLimit: 'a limit is exceeded',
  scecInvalidAction: 'this is not allowed',
  scecInternalError: 'the host itself failed',
  scecUnexpectedType: 'something has the wrong type',
  scecUnexpectedSize: 'something has the wrong size',
};

/** Specific explanations for common errors. */
const KNOWN: Readonly<Record<string, string>> = {
  'sceBudget scecExceededLimit': 'the budget of CPU instructions or memory is used up',
  'sceWasmVm scecInvalidAction': 'the code trapped: a panic, or an instruction that cannot run',
  'sceWasmVm scecMissingValue': 'the contract does not have this function',
  'sceWasmVm scecUnexpectedSize': 'the number of arguments is wrong',
  'sceWasmVm scecExceededLimit': 'the code used up its stack or memory',
  'sceStorage scecExceededLimit': 'the footprint of the transaction does not contain this entry',
  'sceStorage scecMissingValue': 'the entry does not exist',
  'sceStorage scecExistingValue': 'the entry already exists',
  'sceAuth scecInvalidAction': 'authorization is missing or was refused',
  'sceAuth scecInvalidInput': 'an authorization entry is invalid, expired or already used',
  'sceAuth scecExistingValue': 'the authorization was already used',
  'sceContext scecInvalidAction':
    'a contract on the stack cannot be called again, or a call failed',
  'sceContext scecExceededLimit': 'calls are nested too deeply',
};

/** @param contract the interface of the contract that ended with the error */
export function explainError(
  error: xdr.ScError,
  contract: ContractInterface | undefined,
): TracedError {
  const code = errorCode(error);
  if (error.type === 'sceContract') {
    const named = contract?.errors.get(error.contractCode);
    const meaning = named?.doc || 'an error defined by the contract';
    return { code, name: named?.name ?? null, meaning };
  }
  const known = KNOWN[`${error.type} ${error.code.name}`];
  const meaning = known ?? `${AREAS[error.type]}: ${CODES[error.code.name]}`;
  return { code, name: null, meaning };
}
