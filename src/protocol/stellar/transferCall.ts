import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { readI128, toI128 } from '../../../common/i128.ts';
import { readScAddress, toScAddress } from '../../../common/scAddress.ts';

/** A call of `transfer(from, to, amount)` on a SEP-41 token. */
export interface TransferCall {
  readonly asset: ContractAddress;
  readonly from: StellarAddress;
  /** `undefined` if the recipient is neither an account nor a contract (for example, a muxed account). */
  readonly to: StellarAddress | undefined;
  readonly amount: bigint;
}

/** Builds the invocation of a transfer. */
export function transferInvocation(
  call: TransferCall & { readonly to: StellarAddress },
): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(call.asset),
    functionName: 'transfer',
    args: [
      xdr.ScVal.scvAddress(toScAddress(call.from)),
      xdr.ScVal.scvAddress(toScAddress(call.to)),
      toI128(call.amount),
    ],
  });
}

/** Returns the contract of an invocation; `undefined` if it is not a contract address. */
export function invokedContract(invocation: xdr.InvokeContractArgs): ContractAddress | undefined {
  return invocation.contractAddress.type === 'scAddressTypeContract'
    ? (readScAddress(invocation.contractAddress) as ContractAddress)
    : undefined;
}

/** Reads an invocation as a transfer; `undefined` if it is another function or has other arguments. */
export function readTransferCall(invocation: xdr.InvokeContractArgs): TransferCall | undefined {
  const asset = invokedContract(invocation);
  const [from, to, amount] = invocation.args;
  if (
    asset === undefined ||
    invocation.functionName.toString() !== 'transfer' ||
    invocation.args.length !== 3 ||
    from?.type !== 'scvAddress' ||
    to?.type !== 'scvAddress' ||
    amount === undefined
  ) {
    return undefined;
  }
  const payer = readScAddress(from.address);
  const value = readI128(amount);
  if (payer === undefined || value === undefined) return undefined;
  return { asset, from: payer, to: readScAddress(to.address), amount: value };
}
