import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Caller } from './caller.ts';

/**
 * Notes when the caller has its refusal, or has gone. Identical requests that come before that get the
 * same refusal: whoever was told that nothing moved must not find that another request moved it.
 */
export function noteRefusalTold(
  record: SettlementRecord,
  caller: Caller | undefined,
  { local, clock }: Pick<FacilitatorParts, 'local' | 'clock'>,
): void {
  const told = () => local.refusalTold(record, clock.elapsed());
  if (caller === undefined) told();
  else void caller.delivered.then(told);
}
