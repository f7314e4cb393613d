import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { askWitnesses } from './askWitnesses.ts';

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
  const detail = decision.status === 'failed' ? decision.resultCode : undefined;
  await journal.decided(record, decision, detail);
  return (await journal.find(record.id)) ?? record;
}
