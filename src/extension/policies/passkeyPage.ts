import * as z from 'zod/mini';
import type { PasskeyOpened, PasskeyStatus, PasskeyTask } from '../../protocol/policies/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { callService } from './serviceCall.ts';

/** The local service's page, which asks an owner for the passkey. */
export interface PasskeyPage {
  /** @throws ServiceRefusal `request_pending` while another is in progress */
  open(task: PasskeyTask): Promise<PasskeyOpened>;
  /** Polls until the request is decided. @param signal also cancels it at the service */
  follow(opened: PasskeyOpened, signal: AbortSignal): Promise<PasskeyStatus>;
}

const openedShape = z.object({ id: z.string(), page: z.string(), expiresAt: z.number() });
const statusShape = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'working', 'done', 'failed', 'cancelled', 'expired']),
  outcome: z.nullable(
    z.object({
      wallet: z.string(),
      keyId: z.string(),
      transaction: z.string(),
      unrecorded: z.nullable(z.string()),
    }),
  ),
  problem: z.nullable(z.object({ code: z.string(), message: z.string() })),
});

/** Time between two polls. It must be shorter than the service waits for a window that has closed. */
const LOOK_MS = 500;

/** @param secret `passkeyToken` of the service's own file */
export function connectPasskeyPage(
  serviceUrl: string,
  secret: string,
  transport: HttpTransport,
): PasskeyPage {
  const authorization = `Bearer ${secret}`;
  const at = (id: string) => `${serviceUrl}/passkeys/${id}`;
  return {
    open: (body) =>
      callService(
        transport,
        { method: 'POST', url: `${serviceUrl}/passkeys`, body, authorization },
        openedShape,
      ),
    async follow({ id }, signal) {
      for (;;) {
        // Cancelling in the editor also ends the request at the service; a request in flight is not aborted.
        const method = signal.aborted ? 'DELETE' : 'GET';
        const status = await callService(
          transport,
          { method, url: at(id), authorization },
          statusShape,
        );
        if (status.state !== 'waiting' && status.state !== 'working') return status;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
  };
}
