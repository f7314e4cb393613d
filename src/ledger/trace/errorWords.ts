import type { xdr } from '@stellar/stellar-sdk';
import type { ContractInterface } from './contractInterface.ts';
import { errorCode } from './valueText.ts';

/** An error of a contract or of the host, explained. */
export interface TracedError {
  /** As the host writes it: `Error(Contract, #10)`. */
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
  sceObject: 'a value of the host',
  sceCrypto: 'cryptography',
  sceEvents: 'events',
  sceBudget: 'the budget',
  sceValue: 'a value',
  sceAuth: 'authorization',
};

const CODES: Readonly<Record<Code, string>> = {
  scecArithDomain: 'a calculation has no result',
  scecIndexBounds: 'an index is out of bounds',
  scecInvalidInput: 'an input is invalid',
  scecMissingValue: 'something is missing',
  scecExistingValue: 'something exists already',
  scecExceededLimit: 'a limit is exceeded',
  scecInvalidAction: 'this is not allowed',
  scecInternalError: 'the host itself failed',
  scecUnexpectedType: 'something has another type',
  scecUnexpectedSize: 'something has another size',
};

/** What a developer meets often, in words of its own. */
const KNOWN: Readonly<Record<string, string>> = {
  'sceBudget scecExceededLimit': 'the budget of CPU instructions or memory is used up',
  'sceWasmVm scecInvalidAction': 'the code trapped: a panic, or an instruction that cannot run',
  'sceWasmVm scecMissingValue': 'the contract has no such function',
  'sceWasmVm scecUnexpectedSize': 'the function takes another number of arguments',
  'sceWasmVm scecExceededLimit': 'the code used up its stack or memory',
  'sceStorage scecExceededLimit': 'the footprint of the transaction does not contain this entry',
  'sceStorage scecMissingValue': 'the entry does not exist',
  'sceStorage scecExistingValue': 'the entry exists already',
  'sceAuth scecInvalidAction': 'authorization is missing, or was refused',
  'sceAuth scecInvalidInput': 'an authorization entry is invalid, expired, or was used already',
  'sceAuth scecExistingValue': 'the authorization was used already',
  'sceContext scecInvalidAction':
    'a contract on the stack cannot be called again, or a call failed',
  'sceContext scecExceededLimit': 'the calls are nested too deep',
};

/** @param contract the interface of the contract that ended with the error */
export function explainError(
  error: xdr.ScError,
  contract: ContractInterface | undefined,
): TracedError {
  const code = errorCode(error);
  if (error.type === 'sceContract') {
    const named = contract?.errors.get(error.contractCode);
    const meaning = named?.doc || 'an error of the contract itself';
    return { code, name: named?.name ?? null, meaning };
  }
  const known = KNOWN[`${error.type} ${error.code.name}`];
  const meaning = known ?? `${AREAS[error.type]}: ${CODES[error.code.name]}`;
  return { code, name: null, meaning };
}
