import assert from 'node:assert/strict';

/** How often calls race before an order that was never seen counts as one that cannot be. */
const ROUNDS = 10;

/**
 * Lets calls race until their answers come in the wanted order, and fails if they never do.
 *
 * A server that answers nobody while it works never shows that order. One that does may miss it now and then,
 * because the machine decides which of two programs runs first.
 *
 * @param race sends the calls, and returns the names of those that were answered, the first one first
 * @param wanted says whether this is the order of a server that answers others in between
 */
export async function someRoundAnswers(
  race: () => Promise<readonly string[]>,
  wanted: (order: readonly string[]) => boolean,
): Promise<void> {
  const seen: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = await race();
    if (wanted(order)) return;
    seen.push(order.join(', '));
  }
  assert.fail(`in none of ${ROUNDS} rounds:\n${seen.join('\n')}`);
}
