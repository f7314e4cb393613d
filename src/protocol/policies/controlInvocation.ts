import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../address.ts';
import { toI128, toScAddress } from '../stellar/index.ts';
import { XLM_CONTRACT } from '../testnetAssets.ts';

/**
 * The call that a wallet authorizes to show that the caller controls it: an allowance of nothing to
 * the policy's contract, on XLM's contract. It names the policy, so it is good for no other, and
 * would change nothing if somebody submitted it.
 */
export function controlInvocation(
  wallet: ContractAddress,
  policy: ContractAddress,
): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(XLM_CONTRACT),
    functionName: 'approve',
    args: [
      xdr.ScVal.scvAddress(toScAddress(wallet)),
      xdr.ScVal.scvAddress(toScAddress(policy)),
      toI128(0n),
      xdr.ScVal.scvU32(0),
    ],
  });
}
