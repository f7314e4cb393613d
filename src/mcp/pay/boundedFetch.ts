type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Maximum bytes of one response, for pictures of 3 MB in base64; an agent sees far less text. */
const MAX_BYTES = 6 * 1024 * 1024;

/** Fetches, and fails if a response is larger than 6 MiB, because the seller is not trusted. */
export function boundedFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    const { body, status, statusText, headers } = await fetch(url, init);
    let size = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > MAX_BYTES) controller.error(new Error('the response is larger than 6 MiB'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body?.pipeThrough(bound) ?? null, { status, statusText, headers });
  };
}
