/** Largest body of `/verify` and `/settle` (spec: Limits/Body size). */
export const MAX_BODY_BYTES = 32 * 1024;

/**
 * Reads a body of at most 32 KiB; `undefined` when it is larger. A declared length decides before
 * a byte is read, and the server below holds the sender to it; a body without one is counted.
 */
export async function readBody(request: Request): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    return Number(declared) <= MAX_BODY_BYTES ? await request.text() : undefined;
  }
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
