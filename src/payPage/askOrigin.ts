/** How long the seller may take to relay a request to the network. */
const ANSWER_MS = 30_000;

/**
 * Sends JSON to a path of the page's own origin, and returns the JSON of the answer.
 * @throws Error if there is no answer, or its status is not 200
 */
export async function askOrigin(path: string, body: object): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (response.status !== 200) throw new Error(`the network answered with ${response.status}`);
  return response.json();
}
