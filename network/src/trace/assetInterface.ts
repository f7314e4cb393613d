import { xdr } from '@stellar/stellar-sdk';
import type { ContractInterface, FunctionInput, NamedError } from './contractInterface.ts';

const T = xdr.ScSpecTypeDef;
const TYPES = {
  address: T.scSpecTypeAddress(),
  // For a recipient that can be a multiplexed account (CAP-67).
  party: T.scSpecTypeMuxedAddress(),
  i128: T.scSpecTypeI128(),
  u32: T.scSpecTypeU32(),
  bool: T.scSpecTypeBool(),
  string: T.scSpecTypeString(),
} as const;

type TypeName = keyof typeof TYPES;

/** Functions of a Stellar Asset Contract: name, inputs, result (CAP-46-06, SEP-41; protocol 28 adds `trust`). */
const FUNCTIONS: Readonly<
  Record<string, readonly [Readonly<Record<string, TypeName>>, TypeName?]>
> = {
  allowance: [{ from: 'address', spender: 'address' }, 'i128'],
  approve: [{ from: 'address', spender: 'address', amount: 'i128', expiration_ledger: 'u32' }],
  balance: [{ id: 'address' }, 'i128'],
  authorized: [{ id: 'address' }, 'bool'],
  transfer: [{ from: 'address', to: 'party', amount: 'i128' }],
  transfer_from: [{ spender: 'address', from: 'address', to: 'address', amount: 'i128' }],
  burn: [{ from: 'address', amount: 'i128' }],
  burn_from: [{ spender: 'address', from: 'address', amount: 'i128' }],
  clawback: [{ from: 'address', amount: 'i128' }],
  set_authorized: [{ id: 'address', authorize: 'bool' }],
  mint: [{ to: 'address', amount: 'i128' }],
  set_admin: [{ new_admin: 'address' }],
  admin: [{}, 'address'],
  decimals: [{}, 'u32'],
  name: [{}, 'string'],
  symbol: [{}, 'string'],
  trust: [{ addr: 'address' }],
};

/** Errors of the contracts that are built into the host (soroban-env-host `builtin_contracts/contract_error.rs`). */
const ERRORS: Readonly<Record<number, readonly [string, string]>> = {
  2: ['OperationNotSupportedError', 'the asset does not support this operation'],
  3: ['AlreadyInitializedError', 'the asset contract already exists'],
  4: ['UnauthorizedError', 'the caller is not allowed to do this'],
  5: ['AuthenticationError', 'a signature of the account is missing or wrong'],
  6: ['AccountMissingError', 'the account does not exist'],
  7: ['AccountIsNotClassic', 'the address is not an account'],
  8: ['NegativeAmountError', 'the amount is negative'],
  9: ['AllowanceError', 'the allowance is too small or has expired'],
  10: ['BalanceError', 'the balance is too small, or would exceed its limit'],
  11: ['BalanceDeauthorizedError', 'the issuer has frozen the balance'],
  12: ['OverflowError', 'a number is too large'],
  13: ['TrustlineMissingError', 'the account has no trustline to the asset'],
  14: ['InsufficientAccountReserve', 'the account does not have enough XLM for its reserve'],
  15: ['TooManyAccountSubentries', 'the account has too many subentries'],
};

/** The interface of every Stellar Asset Contract, which is built into the host and not declared by a module. */
export const ASSET_INTERFACE: ContractInterface = {
  functions: new Map(
    Object.entries(FUNCTIONS).map(([name, [inputs]]): [string, readonly FunctionInput[]] => [
      name,
      Object.entries(inputs).map(([input, type]) => ({ name: input, type: TYPES[type] })),
    ]),
  ),
  results: new Map(
    Object.entries(FUNCTIONS).flatMap(([name, [, result]]) =>
      result === undefined ? [] : [[name, TYPES[result]] as const],
    ),
  ),
  types: new Map(),
  errors: new Map(
    Object.entries(ERRORS).map(([code, [name, doc]]): [number, NamedError] => [
      Number(code),
      { name, doc },
    ]),
  ),
};
