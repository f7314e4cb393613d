import type { Context, Hono } from 'hono';
import type { HorizonView } from '../horizonView.ts';
import { json } from '../http/answers.ts';
import { HorizonRequest } from '../http/horizonRequest.ts';
import { HorizonProblem } from '../http/problem.ts';
import { transactionResource } from '../resources/transaction.ts';
import { readEnvelope, type SentEnvelope, submitAndWait } from '../submission/submit.ts';
import { submitAsync } from '../submission/submitAsync.ts';

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** `POST /transactions` and `POST /transactions_async`. */
export function submissionRoutes(app: Hono, { network }: HorizonView): void {
  app.post('/transactions', async (context) => {
    const sent = await readSent(context);
    const found = await submitAndWait(network, sent, context.req.raw.signal);
    const { links } = new HorizonRequest(context);
    return json(transactionResource(links, found, found.hash));
  });

  app.post('/transactions_async', async (context) => {
    const { status, resource } = submitAsync(network, await readSent(context));
    return json(resource, status);
  });
}

async function readSent(context: Context): Promise<SentEnvelope> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && !FORMS.includes(type)) {
    throw new HorizonProblem('unsupported_media_type');
  }
  const form = type === undefined ? undefined : (await context.req.parseBody())['tx'];
  return readEnvelope(typeof form === 'string' ? form : (context.req.query('tx') ?? ''));
}
