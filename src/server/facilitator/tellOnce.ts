import type { FacilitatorParts } from './facilitatorParts.ts';

/**
 * Marks the answer of a settlement as given. Until that is written, and for as long as it cannot be,
 * the settlement counts as one that a caller of this process waits for: a repetition is refused here
 * and waits elsewhere, so that nobody is told a second time.
 */
export async function tellOnce(
  id: string,
  { journal, heldHere }: Pick<FacilitatorParts, 'journal' | 'heldHere'>,
): Promise<void> {
  if (await journal.given(id)) heldHere.delete(id);
}
