import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { askWitnesses } from './askWitnesses.ts';

/**
 * Asks once more about a settlement of which nothing was proved: a server that had forgotten may know
 * by now. Whoever presents it again is the first to need it. Rejects with StoreError.
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
