type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Most bytes of one answer: what an agent sees of it is cut far below this. */
const MOST_BYTES = 1024 * 1024;

/** Fetches, and fails where an answer is longer than 1 MiB: the seller is a stranger. */
export function boundedFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    const { body, status, statusText, headers } = await fetch(url, init);
    let size = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > MOST_BYTES) controller.error(new Error('the answer is longer than 1 MiB'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body?.pipeThrough(bound) ?? null, { status, statusText, headers });
  };
}
