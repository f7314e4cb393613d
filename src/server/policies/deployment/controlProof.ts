import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../protocol/index.ts';
import { controlInvocation } from '../../../protocol/policies/index.ts';
import { explainRefusal } from '../../../protocol/smartAccount/index.ts';
import { addressCredentials, readScAddress } from '../../../protocol/stellar/index.ts';
import { PolicyError } from '../policyError.ts';
import { firstLine, type SponsorTools, simulateAsSponsor } from './sponsorTransaction.ts';

/**
 * Checks a proof on the network: a simulation runs the wallet's own `__check_auth` over the signed
 * authorization. So any kind of account can prove control, but a key with a spending limit cannot, since
 * its policy refuses allowances.
 * @param proof base64 XDR of a `SorobanAuthorizationEntry`
 * @throws PolicyError `proof_invalid`
 */
export async function checkControl(
  proof: string,
  wallet: ContractAddress,
  policy: ContractAddress,
  tools: SponsorTools,
): Promise<void> {
  const entry = decode(proof);
  const expected = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      controlInvocation(wallet, policy),
    ),
    subInvocations: [],
  });
  const credentials = addressCredentials(entry.credentials);
  if (credentials === undefined || readScAddress(credentials.address) !== wallet) {
    throw new PolicyError('proof_invalid', 'it is not signed by the wallet');
  }
  if (entry.rootInvocation.toXdr('base64') !== expected.toXdr('base64')) {
    throw new PolicyError('proof_invalid', 'it authorizes something else');
  }
  const call = xdr.HostFunction.hostFunctionTypeInvokeContract(controlInvocation(wallet, policy));
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction: call, auth: [entry] }),
    ),
  });
  const simulation = await simulateAsSponsor(operation, tools);
  if (simulation.status !== 'success') {
    const refusal = explainRefusal(simulation.error);
    throw new PolicyError('proof_invalid', refusal?.message ?? firstLine(simulation.error));
  }
}

function decode(proof: string): xdr.SorobanAuthorizationEntry {
  try {
    return xdr.SorobanAuthorizationEntry.fromXdr(proof, 'base64');
  } catch {
    throw new PolicyError('proof_invalid', 'it is not an authorization entry in base64');
  }
}
