import type { IncomingMessage } from 'node:http';

export type ReadBody =
  | { readonly status: 'whole'; readonly text: string }
  | { readonly status: 'too_large' }
  /** The client left, or the connection broke, before the whole body had arrived. */
  | { readonly status: 'broken_off' };

/**
 * Reads a request's body as UTF-8. A declared length is checked before a byte is read; a body without one is counted and
 * never kept beyond the limit. The server reads and discards what arrives after a refusal, so that the connection
 * stays in sync.
 * @param maxBytes largest body that is accepted
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.resolve({ status: 'too_large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve({ status: 'too_large' });
    });
    request.on('end', () => {
      if (size > maxBytes) return;
      resolve({ status: 'whole', text: Buffer.concat(chunks, size).toString('utf8') });
    });
    request.on('error', () => resolve({ status: 'broken_off' }));
    request.on('close', () => resolve({ status: 'broken_off' }));
  });
}
