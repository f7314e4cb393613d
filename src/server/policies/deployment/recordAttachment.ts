import * as xdr from '@stellar/stellar-sdk/xdr';
import { parseSettlementHash, type SettlementHash } from '../../../protocol/index.ts';
import type { GeneratedPolicy, RecordedPolicy } from '../../../protocol/policies/index.ts';
import { readScAddress } from '../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { PolicyError } from '../policyError.ts';
import type { PolicyRecords } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { type AttachedSigner, attachedSigner } from './attachedSigner.ts';
import type { SponsorTools } from './sponsorTransaction.ts';

/** Records an attachment that is on the ledger. @throws PolicyError */
export async function recordAttachment(
  id: string,
  attachTxHash: string,
  records: PolicyRecords,
  { network, clock }: Pick<SponsorTools, 'network' | 'clock'>,
): Promise<RecordedPolicy> {
  const hash = parseSettlementHash(attachTxHash);
  if (hash === undefined) {
    throw new PolicyError('invalid_request', 'attachTxHash is not a transaction hash');
  }
  const kept = await records.find(id);
  const { contract } = kept.artifacts;
  if (contract !== null && kept.state !== 'deployed' && kept.state !== 'recorded') {
    throw new PolicyError('not_deployed');
  }
  await reaching(() => checkAttached(hash, kept.artifacts, network));
  await records.recorded(id, hash, clock.now());
  return { id, state: 'recorded', contractId: contract?.contractId ?? null, attachTxHash: hash };
}

/**
 * Checks that a transaction on the ledger attached a policy to a wallet, and that it is attached now:
 * the transaction succeeded, the wallet's `add_signer` or `change_signers` in it adds this policy, or the
 * key with exactly these limits, and the wallet has that signer.
 * @throws PolicyError `attach_not_seen`, `attach_mismatch`
 */
async function checkAttached(
  hash: SettlementHash,
  policy: GeneratedPolicy,
  network: StellarNetwork,
): Promise<void> {
  const signer = attachedSigner(policy);
  const found = await network.lookUp(hash);
  if (found.status === 'NOT_FOUND') throw new PolicyError('attach_not_seen');
  if (found.status === 'FAILED') {
    throw new PolicyError('attach_mismatch', `the transaction failed: ${found.resultCode}`);
  }
  if (!callsOf(found.envelope ?? '').some((call) => attaches(call, policy.wallet, signer))) {
    throw new PolicyError('attach_mismatch');
  }
  const { entries } = await network.getLedgerEntries(signer.entries);
  if (!entries.some(signer.isHeld)) {
    throw new PolicyError('attach_mismatch', 'the wallet has since removed the policy');
  }
}

function attaches(
  { contractAddress, functionName, args }: xdr.InvokeContractArgs,
  wallet: string,
  signer: AttachedSigner,
): boolean {
  if (readScAddress(contractAddress) !== wallet) return false;
  switch (functionName.toString()) {
    case 'add_signer':
      return signer.isGiven(args[0]);
    case 'change_signers': {
      const added = args[1];
      return added?.type === 'scvVec' && (added.vec ?? []).some((one) => signer.isGiven(one));
    }
    default:
      return false;
  }
}

/** Returns every contract call that a transaction makes or authorizes, regardless of who pays for it. */
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
