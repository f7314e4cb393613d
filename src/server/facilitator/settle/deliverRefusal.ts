import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Caller } from './caller.ts';

/** A connection is accepted in one turn of the event loop, its headers are read in the next, and its body after that. */
const TURNS_TO_READ = 4;

/**
 * Delays a refusal until all bytes that have arrived are read, and records when the caller has it or has disconnected.
 * Identical requests before that get the same refusal. Once a caller knows that no money moved, another request must not move
 * it.
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
