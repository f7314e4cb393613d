import { parseSettlementHash } from '../../../protocol/index.ts';
import type { RecordedPolicy } from '../../../protocol/policies/index.ts';
import { PolicyError } from '../policyError.ts';
import type { PolicyRecords } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { checkAttached } from './attachment.ts';
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
