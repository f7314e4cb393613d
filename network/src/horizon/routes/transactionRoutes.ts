import type { Context, Hono } from 'hono';
import type { FoundTransaction } from '../../history/index.ts';
import type { HorizonView } from '../horizonView.ts';
import { type Answers, json } from '../http/answers.ts';
import { HorizonRequest } from '../http/horizonRequest.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { transactionResource } from '../resources/transaction.ts';
import {
  readEnvelope,
  type SentEnvelope,
  submitAndWait,
  submitAsync,
} from '../submission/submit.ts';

/** One transaction. */
export function transactionRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/transactions/:tx_id',
    answers.object((request) => {
      const hash = request.part('tx_id');
      return transactionResource(request.links, findTransaction(view, hash), hash);
    }),
  );
}

/** @param hash of a fee bump or of the transaction within. @throws HorizonProblem */
export function findTransaction({ history }: HorizonView, hash: string): FoundTransaction {
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw invalidField('tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash');
  }
  const found = history.transaction(hash);
  if (found === undefined) throw new HorizonProblem('not_found');
  return found;
}

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
