import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import { XLM_CONTRACT } from '../../../common/testnetAssets.ts';
import { toI128, toScAddress } from '../stellar/index.ts';

/**
 * Builds the call that a wallet authorizes to prove that the caller controls it: an allowance of zero to the policy's contract,
 * on XLM's contract. The call names the policy, so it is not valid for another one. Submitting it would change nothing.
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
