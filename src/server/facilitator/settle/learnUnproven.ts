import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { askWitnesses } from './askWitnesses.ts';
import { concluded } from './concluded.ts';
import { fateBeside, recordPaidElsewhere } from './fateBeside.ts';
import { detailOf } from './knownOutcome.ts';

/**
 * Looks again for the outcome of an unproven settlement, because a server's history may be available again. Called by repeated
 * requests as well as periodically. Rejects with StoreError.
 * @returns the record, decided or not
 */
export async function learnUnproven(
  record: SettlementRecord,
  payment: PreparedPayment,
  parts: FacilitatorParts,
): Promise<SettlementRecord> {
  if (record.state !== 'unproven') return record;
  const { journal } = parts;
  const decision = await askWitnesses(record, payment, parts);
  if (decision === undefined) return record;
  const conclusion = concluded(decision, payment);
  await journal.decided(record, conclusion, detailOf(conclusion));
  if (decision.status !== 'succeeded') {
    await recordPaidElsewhere(record, await fateBeside(payment, decision, parts), parts);
  }
  return (await journal.find(record.id)) ?? record;
}
