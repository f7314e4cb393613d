// Sends what strangers send, from a process of its own, for strangers.ts: what that costs is not the service's.

import type { Sent, SentResult } from './strangers.ts';
import { WIRE } from './wire.ts';

async function send(sent: Sent): Promise<SentResult> {
  try {
    const value =
      sent.what === 'ask'
        ? await WIRE.ask(sent.base, sent.asked)
        : await WIRE.exchange(sent.base, sent.pieces, sent.quietMs);
    return { id: sent.id, value };
  } catch (error) {
    return { id: sent.id, failed: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (sent: Sent) => {
  void send(sent).then((result) => process.send?.(result));
});
// Ends when the process that started it is gone.
process.once('disconnect', () => process.exit(0));
process.send?.('started');
