import type { Hono } from 'hono';
import { type AccountIdString, accountKeyId, dataKeyId } from '../../state/index.ts';
import { addressOf, publicKeyOf } from '../format/address.ts';
import { base64Text } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import type { Links } from '../http/links.ts';
import type { PageRecord, Resource } from '../http/page.ts';
import type { PageQuery } from '../http/pageQuery.ts';
import { accountPart } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { takePage } from '../http/statePage.ts';
import { accountResource } from '../resources/account.ts';
import { sponsorText } from '../resources/balance.ts';
import { readAccountFilter } from './accountFilter.ts';

const LONGEST_DATA_NAME = 64;

/** `/accounts`, one account, and its data. */
export function accountRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/accounts',
    answers.page((request, query) => accountsPage(view, request, query)),
  );
  app.get(
    '/accounts/:account_id',
    answers.streamedObject((request) => {
      const account = readAccount(view, request.links, accountPart(request));
      if (account === undefined) throw new HorizonProblem('not_found');
      return account;
    }),
  );
  app.get(
    '/accounts/:account_id/data/:key',
    answers.streamedObject(
      (request) => {
        const { value, sponsor } = readData(view, request);
        return { value: base64Text(value), sponsor };
      },
      (request) => readData(view, request).value,
    ),
  );
}

function accountsPage(view: HorizonView, request: HorizonRequest, query: PageQuery): PageRecord[] {
  const accounts = readAccountFilter(view, request, query);
  return takePage(accounts, query.limit, (id) => {
    const resource = readAccount(view, request.links, id);
    return resource && { token: addressOf(id), resource };
  });
}

function readAccount(view: HorizonView, links: Links, id: AccountIdString): Resource | undefined {
  const entry = view.state.peek(accountKeyId(publicKeyOf(id)));
  if (entry?.data.type !== 'account') return undefined;
  return accountResource(view, links, entry, entry.data.account);
}

/** @throws HorizonProblem */
function readData(
  view: HorizonView,
  request: HorizonRequest,
): { readonly value: Uint8Array<ArrayBuffer>; readonly sponsor: string | undefined } {
  const name = request.part('key');
  const account = publicKeyOf(accountPart(request));
  if (name === '' || Buffer.byteLength(name) > LONGEST_DATA_NAME) {
    throw invalidField('key', `${name} does not validate as length(1|${LONGEST_DATA_NAME})`);
  }
  const entry = view.state.peek(dataKeyId(account, name));
  if (entry?.data.type !== 'data') throw new HorizonProblem('not_found');
  const { value } = entry.data.data.dataValue;
  return { value: Uint8Array.from(value), sponsor: sponsorText(entry) };
}
