import type { FacilitatorParts } from '../facilitatorParts.ts';

/**
 * Records that the answer of a settlement was given. Until that is written, and for as long as it
 * cannot be, the settlement counts as awaited by a caller of this process: an identical request is
 * refused here and waits elsewhere, so that no second caller gets the success.
 */
export async function recordDelivery(
  id: string,
  { journal, local }: Pick<FacilitatorParts, 'journal' | 'local'>,
): Promise<void> {
  if (await journal.delivered(id)) local.stopAwaiting(id);
}
