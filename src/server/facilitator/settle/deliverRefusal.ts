import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Caller } from './caller.ts';

/** A connection is accepted in one turn of the event loop, read in the next, and its body after that. */
const TURNS_TO_READ = 4;

/**
 * Holds a refusal back until what has arrived by now is read, and notes when the caller has it, or has
 * gone. Identical requests that come before that get the same refusal: whoever was told that nothing
 * moved must not find that another request moved it.
 */
export async function deliverRefusal(
  record: SettlementRecord,
  caller: Caller | undefined,
  { local, clock }: Pick<FacilitatorParts, 'local' | 'clock'>,
): Promise<void> {
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await clock.sleep(0);
  const told = () => local.refusalTold(record, clock.elapsed());
  if (caller === undefined) told();
  else void caller.delivered.then(told);
}
