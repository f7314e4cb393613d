import { serve } from '../../proxy/support/shop.ts';

/** A facilitator whose settlements wait, or are refused, as a test wants. */
export interface Gate {
  readonly url: string;
  /** Paths that were asked for with POST. */
  readonly calls: string[];
  /** Has settlements wait until the returned function is called. */
  hold(): () => void;
  /** Refuses settlements from now on; `false` passes them on. */
  refuse(yes: boolean): void;
  close(): Promise<void>;
}

/** Opens a gate in front of a facilitator. */
export async function openGate(facilitatorUrl: string): Promise<Gate> {
  const calls: string[] = [];
  let open = Promise.resolve();
  let isRefused = false;
  const server = await serve(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = request.url ?? '';
    if (request.method === 'POST') calls.push(path);
    if (path === '/settle') {
      await open;
      if (isRefused) {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            ...{ success: false, transaction: '', network: 'stellar:testnet' },
            ...{ errorReason: 'transaction_failed', extra: { moneyMoved: 'no' } },
          }),
        );
        return;
      }
    }
    const answer = await fetch(`${facilitatorUrl}${path}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(request.method === 'POST' ? { body: Buffer.concat(pieces) } : {}),
    });
    response.statusCode = answer.status;
    response.setHeader('content-type', 'application/json');
    response.end(await answer.text());
  });
  return {
    ...{ url: server.url, calls },
    hold() {
      let release = (): void => {};
      open = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    refuse(yes) {
      isRefused = yes;
    },
    close: () => server.close(),
  };
}
