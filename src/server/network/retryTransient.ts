import type { Clock } from '../clock.ts';
import { RpcError } from './rpcError.ts';

/** Attempts at a read, and the pause between them (spec: Limits/Transient-failure retry). */
const ATTEMPTS = 2;
const PAUSE_MS = 6_000;

/**
 * Repeats a read-only call once after a failure that may be temporary (`RpcError.transient`). Other
 * failures are final.
 * Submissions are not repeated here: they have their own rules (`settlement/send.ts`).
 */
export async function retryTransient<T>(read: () => Promise<T>, clock: Clock): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const again = error instanceof RpcError && error.transient && attempt < ATTEMPTS;
      if (!again) throw error;
      await clock.sleep(PAUSE_MS);
    }
  }
}
