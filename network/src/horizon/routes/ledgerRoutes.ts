import type { Hono } from 'hono';
import { totalOrderId } from '../../history/index.ts';
import { wholePosition } from '../history/position.ts';
import { collectHistoryPage, everyLedger } from '../historyIndex/collectPage.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { ledgerRecord, ledgerResource } from '../resources/ledger.ts';

/** `/ledgers` and `/ledgers/{sequence}`. */
export function ledgerRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/ledgers',
    answers.streamedPage(({ links }, query) =>
      collectHistoryPage(
        view.history,
        query,
        (ledger) => {
          const id = totalOrderId({ ledger: ledger.sequence, transaction: 0, operation: 0 });
          return [{ at: wholePosition(id), write: () => ledgerRecord(links, ledger) }];
        },
        everyLedger,
      ),
    ),
  );
  app.get(
    '/ledgers/:ledger_id',
    answers.object((request) => {
      const sequence = readSequence(view, request.part('ledger_id'));
      const ledger = view.history.ledger(sequence);
      if (ledger === undefined) throw new HorizonProblem('not_found');
      return ledgerResource(request.links, ledger);
    }),
  );
}

/**
 * @throws HorizonProblem `bad_request`; `before_history` for a ledger that is no longer kept, `not_found` for one that has not
 *   closed yet
 */
export function readSequence({ history }: HorizonView, text: string): number {
  const sequence = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (sequence === 0 || sequence >= 2 ** 32) {
    throw invalidField('ledger_id', 'Ledger ID must be an integer higher than 0');
  }
  if (sequence < history.oldestSequence) throw new HorizonProblem('before_history');
  if (sequence > history.latestSequence) throw new HorizonProblem('not_found');
  return sequence;
}
