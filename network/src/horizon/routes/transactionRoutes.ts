import type { Hono } from 'hono';
import type { FoundTransaction } from '../../history/index.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { transactionResource } from '../resources/transaction.ts';

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
