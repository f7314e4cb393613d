import type { Hono } from 'hono';
import type { AccountIdString, LedgerKeyId } from '../../state/index.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { Links } from '../http/links.ts';
import type { Resource } from '../http/page.ts';
import { accountPart } from '../http/parameters.ts';
import { HorizonProblem } from '../http/problem.ts';
import { accountResource } from '../resources/account.ts';

const ACCOUNT_KEY = '\0\0\0\0\0\0\0\0';

/** One account. */
export function accountRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/accounts/:account_id',
    answers.streamedObject((request) => readAccount(view, request.links, accountPart(request))),
  );
}

function readAccount(view: HorizonView, links: Links, id: AccountIdString): Resource {
  const entry = view.state.peek((ACCOUNT_KEY + id) as LedgerKeyId);
  if (entry?.data.type !== 'account') throw new HorizonProblem('not_found');
  return accountResource(view, links, entry, entry.data.account);
}
