import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, SettlementHash } from '../../../protocol/index.ts';
import { readSignerKey } from '../../../protocol/smartAccount/index.ts';
import { readScAddress } from '../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { policySignerKeys } from '../contractIds.ts';
import { PolicyError } from '../policyError.ts';

/**
 * Holds that a transaction on the ledger attached a policy to a wallet, and that it is attached now:
 * the transaction succeeded, it holds the wallet's `add_signer` with this policy, and the wallet's
 * signers hold the policy.
 * @throws PolicyError `attach_not_seen`, `attach_mismatch`
 */
export async function checkAttached(
  hash: SettlementHash,
  wallet: ContractAddress,
  policy: ContractAddress,
  network: StellarNetwork,
): Promise<void> {
  const found = await network.lookUp(hash);
  if (found.status === 'NOT_FOUND') throw new PolicyError('attach_not_seen');
  if (found.status === 'FAILED') {
    throw new PolicyError('attach_mismatch', `the transaction failed: ${found.resultCode}`);
  }
  if (!callsOf(found.envelope ?? '').some((call) => attaches(call, wallet, policy))) {
    throw new PolicyError('attach_mismatch');
  }
  const { entries } = await network.getLedgerEntries(policySignerKeys(wallet, policy));
  if (entries.every((entry) => entry === undefined)) {
    throw new PolicyError('attach_mismatch', 'the wallet has let the policy go since');
  }
}

function attaches(
  { contractAddress, functionName, args }: xdr.InvokeContractArgs,
  wallet: ContractAddress,
  policy: ContractAddress,
): boolean {
  const [signer] = args;
  if (readScAddress(contractAddress) !== wallet || functionName.toString() !== 'add_signer') {
    return false;
  }
  // A signer begins as its key does: kind and name.
  const parts = signer?.type === 'scvVec' ? (signer.vec ?? []) : [];
  const key = readSignerKey(xdr.ScVal.scvVec(parts.slice(0, 2)));
  return key?.kind === 'policy' && key.policy === policy;
}

/** Every contract call that a transaction makes or has authorized, whoever pays for it. */
function callsOf(envelope: string): xdr.InvokeContractArgs[] {
  const calls: xdr.InvokeContractArgs[] = [];
  const collect = ({ function: called, subInvocations }: xdr.SorobanAuthorizedInvocation) => {
    if (called.type === 'sorobanAuthorizedFunctionTypeContractFn') calls.push(called.contractFn);
    subInvocations.forEach(collect);
  };
  for (const { body } of operationsOf(envelope)) {
    if (body.type !== 'invokeHostFunction') continue;
    const { hostFunction, auth } = body.invokeHostFunctionOp;
    if (hostFunction.type === 'hostFunctionTypeInvokeContract') {
      calls.push(hostFunction.invokeContract);
    }
    for (const { rootInvocation } of auth) collect(rootInvocation);
  }
  return calls;
}

function operationsOf(text: string): readonly xdr.Operation[] {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  switch (envelope.type) {
    case 'envelopeTypeTx':
      return envelope.v1.tx.operations;
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump.tx.innerTx.v1.tx.operations;
    default:
      return [];
  }
}
