import http from 'node:http';

/** When a client goes away without its answer. */
export type Abort =
  | { readonly kind: 'after'; readonly milliseconds: number }
  /** As soon as the first bytes of the answer are there. */
  | { readonly kind: 'at the headers' };

/** A whole answer that was delivered. */
export interface FacilitatorAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

const PATIENCE_MS = 45_000;

/**
 * Sends one request on a connection of its own.
 * @param onSent called when its last bytes have left, or when it ends without them
 * @returns `undefined` when no whole answer came, or the client did not wait for it
 */
export function askFacilitator(
  url: string,
  path: string,
  body?: string,
  abort?: Abort,
  onSent?: () => void,
): Promise<FacilitatorAnswer | undefined> {
  return new Promise((resolve) => {
    let sent = false;
    const noteSent = (): void => {
      if (!sent) onSent?.();
      sent = true;
    };
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const request = http.request(`${url}${path}`, { agent: false, method, headers });
    const leave = (): void => {
      request.destroy();
      resolve(undefined);
    };
    const patience = setTimeout(leave, PATIENCE_MS);
    const gone = abort?.kind === 'after' ? setTimeout(leave, abort.milliseconds) : undefined;
    request.on('error', () => resolve(undefined));
    request.on('finish', noteSent);
    request.on('close', () => {
      noteSent();
      clearTimeout(patience);
      clearTimeout(gone);
      resolve(undefined);
    });
    request.on('response', (response) => {
      if (abort?.kind === 'at the headers') {
        leave();
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        if (!response.complete) return resolve(undefined);
        const text = Buffer.concat(chunks).toString('utf8');
        try {
          resolve({ status: response.statusCode ?? 0, text, body: JSON.parse(text) });
        } catch {
          resolve(undefined);
        }
      });
    });
    request.end(body);
  });
}
