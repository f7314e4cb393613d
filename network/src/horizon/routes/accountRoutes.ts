import { xdr } from '@stellar/stellar-sdk';
import type { Hono } from 'hono';
import { type AccountIdString, accountKeyId, dataKeyId } from '../../state/index.ts';
import { trustLineAssetOf } from '../../transaction/balances/index.ts';
import { addressOf, parseAccount, publicKeyOf } from '../format/address.ts';
import { parseCanonicalAsset } from '../format/asset.ts';
import { base64Text } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest, Links } from '../http/horizonRequest.ts';
import { type PageQuery, type PageRecord, type Resource, takePage } from '../http/paging.ts';
import { accountParameter, accountPart } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { accountResource } from '../resources/account.ts';
import { sponsorText } from '../resources/balance.ts';
import { AccountsBySigner, AccountsBySponsor } from '../state/accountIndexes.ts';
import { AssetHolders } from '../state/assetStatisticsIndex.ts';
import { poolId } from './parts.ts';

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

const FILTERS = ['signer', 'sponsor', 'asset', 'liquidity_pool'] as const;
const NO_ASSET =
  'Asset must be the string "native" or a string of the form "Code:IssuerAccountID" for issued assets.';

/** The accounts that match the filter of a request, in order. @throws HorizonProblem */
function readAccountFilter(
  view: HorizonView,
  request: HorizonRequest,
  { cursor, order }: PageQuery,
): Iterable<AccountIdString> {
  const given = FILTERS.filter((name) => request.text(name) !== '');
  const [filter] = given;
  if (filter === undefined || given.length > 1) {
    throw new HorizonProblem('invalid_accounts_params');
  }
  const behind = cursor === '' ? undefined : parseAccount(cursor);
  if (cursor !== '' && behind === undefined) throw invalidField('cursor', 'cursor: invalid value');
  switch (filter) {
    case 'signer': {
      const signer = requiredAccount(request, filter);
      const others = view.indexes.get(AccountsBySigner).walk(addressOf(signer), order, behind);
      return withOwner(view, signer, others, order, behind);
    }
    case 'sponsor': {
      const sponsor = addressOf(requiredAccount(request, filter));
      return view.indexes.get(AccountsBySponsor).walk(sponsor, order, behind);
    }
    case 'asset':
      return view.indexes.get(AssetHolders).walk(assetOf(request), order, behind);
    case 'liquidity_pool': {
      const id = poolId(filter, request.text(filter));
      const shares = xdr.TrustLineAsset.assetTypePoolShare(new xdr.PoolId(Buffer.from(id, 'hex')));
      return view.indexes.get(AssetHolders).walk(shares, order, behind);
    }
  }
}

/** Inserts the account whose master key it is, if that key can sign, in its place in the order. */
function* withOwner(
  view: HorizonView,
  owner: AccountIdString,
  others: Iterable<AccountIdString>,
  order: PageQuery['order'],
  behind: AccountIdString | undefined,
): Generator<AccountIdString> {
  const isBefore = (a: AccountIdString, b: AccountIdString): boolean =>
    order === 'asc' ? a < b : a > b;
  let waits = signsForItself(view, owner) && (behind === undefined || isBefore(behind, owner));
  for (const other of others) {
    if (waits && isBefore(owner, other)) {
      waits = false;
      yield owner;
    }
    yield other;
  }
  if (waits) yield owner;
}

function signsForItself(view: HorizonView, account: AccountIdString): boolean {
  const entry = view.state.peek(accountKeyId(publicKeyOf(account)));
  return entry?.data.type === 'account' && entry.data.account.thresholds.value[0] !== 0;
}

function requiredAccount(request: HorizonRequest, name: string): AccountIdString {
  const account = accountParameter(request, name);
  if (account === undefined) throw new HorizonProblem('invalid_accounts_params');
  return account;
}

function assetOf(request: HorizonRequest): xdr.TrustLineAsset {
  const asset = parseCanonicalAsset(request.text('asset'));
  if (asset === undefined) throw invalidField('asset', NO_ASSET);
  if (asset.type === 'assetTypeNative') {
    throw invalidField('asset', "you can't filter by asset: native");
  }
  return trustLineAssetOf(asset);
}
