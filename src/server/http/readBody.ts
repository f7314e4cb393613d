import type { IncomingMessage } from 'node:http';

/** Largest body of `/verify` and `/settle` (spec: Limits/Body size). */
export const MAX_BODY_BYTES = 32 * 1024;

export type ReadBody =
  | { readonly status: 'whole'; readonly text: string }
  | { readonly status: 'too_large' }
  /** The sender has gone, or the connection was cut, before all had come. */
  | { readonly status: 'broken_off' };

/**
 * Reads a body of at most 32 KiB. A declared length decides before a byte is read; a body without
 * one is counted. What comes after a refusal is read and thrown away by the server, so that the
 * connection stays in step.
 */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve({ status: 'too_large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) resolve({ status: 'too_large' });
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve({ status: 'whole', text: Buffer.concat(chunks, size).toString('utf8') });
    });
    request.on('close', () => resolve({ status: 'broken_off' }));
  });
}
