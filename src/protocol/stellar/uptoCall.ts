import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { readI128, toI128 } from '../../../common/i128.ts';
import { readScAddress, toScAddress } from '../../../common/scAddress.ts';

/** The most ledgers from now until an `upto` authorization expires (spec: Limits/Upto expiration). */
export const MAX_UPTO_LEDGERS = 17_280;

/** The terms that the payer of an `upto` payment signs (spec: Authentication). Amounts in atomic units. */
export interface UptoTerms {
  /** The settlement contract. */
  readonly contract: ContractAddress;
  readonly token: ContractAddress;
  readonly from: StellarAddress;
  readonly to: StellarAddress;
  /** The ceiling. */
  readonly maxAmount: bigint;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
  /** 32 bytes that the payer uses once. */
  readonly nonce: Uint8Array;
}

/** The parts of a `settle` call that the checks need. */
export interface UptoCall extends Omit<UptoTerms, 'to'> {
  /** `undefined` if the recipient is neither an account nor a contract (for example, a muxed account). */
  readonly to: StellarAddress | undefined;
  readonly actualAmount: bigint;
}

/** The first problem found with a call that should be `settle`. */
export type UptoCallProblem = 'function' | 'count' | 'hook' | 'arguments';

export type ReadUptoCall =
  | { readonly ok: true; readonly call: UptoCall }
  | { readonly ok: false; readonly problem: UptoCallProblem };

const ARGUMENTS = 8;
const NONCE_BYTES = 32;

/** Returns the six terms in the order in which they are signed, also the order of the call's first six arguments. */
function signedArguments(terms: UptoTerms): xdr.ScVal[] {
  return [
    xdr.ScVal.scvAddress(toScAddress(terms.token)),
    xdr.ScVal.scvAddress(toScAddress(terms.from)),
    xdr.ScVal.scvAddress(toScAddress(terms.to)),
    toI128(terms.maxAmount),
    xdr.ScVal.scvU32(terms.expirationLedger),
    xdr.ScVal.scvBytes(terms.nonce),
  ];
}

/** Builds the call of `settle`: eight arguments, the hook void (spec: Upto wire shape). */
export function uptoInvocation(terms: UptoTerms, actualAmount: bigint): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(terms.contract),
    functionName: 'settle',
    args: [...signedArguments(terms), toI128(actualAmount), xdr.ScVal.scvVoid()],
  });
}

/** Returns the same call with another actual amount, which nobody signs. */
export function withActualAmount(
  invocation: xdr.InvokeContractArgs,
  actualAmount: bigint,
): xdr.InvokeContractArgs {
  const { args, ...rest } = invocation;
  const changed = args.map((arg, index) => (index === 6 ? toI128(actualAmount) : arg));
  return new xdr.InvokeContractArgs({ ...rest, args: changed });
}

/**
 * Builds what the payer authorizes: `settle` over the six terms, with the token's `approve` of the
 * ceiling to the contract as its only sub-invocation.
 */
export function uptoAuthorizedInvocation(terms: UptoTerms): xdr.SorobanAuthorizedInvocation {
  const authorize = (
    contract: ContractAddress,
    functionName: string,
    args: xdr.ScVal[],
    subInvocations: xdr.SorobanAuthorizedInvocation[],
  ) =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({ contractAddress: toScAddress(contract), functionName, args }),
      ),
      subInvocations,
    });
  const approve = [
    xdr.ScVal.scvAddress(toScAddress(terms.from)),
    xdr.ScVal.scvAddress(toScAddress(terms.contract)),
    toI128(terms.maxAmount),
    xdr.ScVal.scvU32(terms.expirationLedger),
  ];
  return authorize(terms.contract, 'settle', signedArguments(terms), [
    authorize(terms.token, 'approve', approve, []),
  ]);
}

/** Builds the query for the amount settled under a nonce: `settled(from, nonce) -> Option<i128>`. */
export function settledInvocation(
  terms: Pick<UptoTerms, 'contract' | 'from' | 'nonce'>,
): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(terms.contract),
    functionName: 'settled',
    args: [xdr.ScVal.scvAddress(toScAddress(terms.from)), xdr.ScVal.scvBytes(terms.nonce)],
  });
}

function contractOf(address: xdr.ScAddress): ContractAddress | undefined {
  return address.type === 'scAddressTypeContract'
    ? (readScAddress(address) as ContractAddress)
    : undefined;
}

function readArguments(
  contract: ContractAddress,
  args: readonly xdr.ScVal[],
): UptoCall | undefined {
  const [token, from, to, max, expiration, nonce, actual] = args;
  if (
    token?.type !== 'scvAddress' ||
    from?.type !== 'scvAddress' ||
    to?.type !== 'scvAddress' ||
    max === undefined ||
    expiration?.type !== 'scvU32' ||
    nonce?.type !== 'scvBytes' ||
    nonce.bytes.value.length !== NONCE_BYTES ||
    actual === undefined
  ) {
    return undefined;
  }
  const asset = contractOf(token.address);
  const payer = readScAddress(from.address);
  const maxAmount = readI128(max);
  const actualAmount = readI128(actual);
  if (
    asset === undefined ||
    payer === undefined ||
    maxAmount === undefined ||
    actualAmount === undefined
  ) {
    return undefined;
  }
  return {
    contract,
    token: asset,
    from: payer,
    to: readScAddress(to.address),
    maxAmount,
    expirationLedger: expiration.u32,
    nonce: nonce.bytes.value,
    actualAmount,
  };
}

/** Reads the arguments of an invocation of `contract` as those of `settle`. */
export function readUptoCall(
  contract: ContractAddress,
  invocation: xdr.InvokeContractArgs,
): ReadUptoCall {
  const { functionName, args } = invocation;
  if (functionName.toString() !== 'settle') return { ok: false, problem: 'function' };
  if (args.length !== ARGUMENTS) return { ok: false, problem: 'count' };
  if (args[7]?.type !== 'scvVoid') return { ok: false, problem: 'hook' };
  const call = readArguments(contract, args);
  return call === undefined ? { ok: false, problem: 'arguments' } : { ok: true, call };
}
