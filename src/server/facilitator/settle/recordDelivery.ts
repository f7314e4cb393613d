import type { FacilitatorParts } from '../facilitatorParts.ts';

/**
 * Records that the answer of a settlement was delivered. Until the journal has it, this process
 * remembers it and retries in each maintenance pass.
 */
export async function recordDelivery(
  id: string,
  { journal, local }: Pick<FacilitatorParts, 'journal' | 'local'>,
): Promise<void> {
  local.delivered(id);
  if (await journal.delivered(id)) local.recorded(id);
}
