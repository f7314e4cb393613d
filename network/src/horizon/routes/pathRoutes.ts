import type { Hono } from 'hono';
import { type AccountIdString, accountKeyId } from '../../state/index.ts';
import { publicKeyOf } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import { listResource, type Resource } from '../http/paging.ts';
import { accountParameter, amountParameter, assetList, requiredAsset } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { type PathMarket, pathsReceiving, pathsSending } from '../paths/findPaths.ts';
import { Markets } from '../paths/markets.ts';
import { pathResource } from '../resources/path.ts';
import { OwnedEntries } from '../state/ownedEntries.ts';

/** Maximum number of assets listed for the other end (Horizon `max-assets-per-path-request`). */
const MAX_ASSETS = 15;
/** An account without an owner, for searches that do not name a payer. */
const NOBODY = '\0'.repeat(32) as AccountIdString;

/** `/paths/strict-receive` and `/paths/strict-send`. */
export function pathRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  const strictReceive = answers.object((request) => strictReceivePaths(view, request));
  app.get('/paths', strictReceive);
  app.get('/paths/strict-receive', strictReceive);
  app.get(
    '/paths/strict-send',
    answers.object((request) => strictSendPaths(view, request)),
  );
}

function strictReceivePaths(view: HorizonView, request: HorizonRequest): Resource {
  const account = accountParameter(request, 'source_account');
  const listed = assetList(request, 'source_assets');
  requireOneEnd(account !== undefined, listed.length > 0, 'source');
  const destination = requiredAsset(request, 'destination_');
  const amount = amountParameter(request, 'destination_amount');
  const holdings =
    account === undefined
      ? new Map(listed.map((asset) => [canonicalAsset(asset), undefined]))
      : holdingsOf(view, account);
  requireFew(holdings.size, account === undefined ? 'source_assets' : 'source_account');
  const paths = pathsReceiving(market(view, account), destination, amount, (asset, needed) => {
    const name = canonicalAsset(asset);
    if (!holdings.has(name)) return false;
    const balance = holdings.get(name);
    return balance === undefined || balance >= needed;
  });
  return listResource(paths.map(pathResource));
}

function strictSendPaths(view: HorizonView, request: HorizonRequest): Resource {
  const account = accountParameter(request, 'destination_account');
  const listed = assetList(request, 'destination_assets');
  requireOneEnd(account !== undefined, listed.length > 0, 'destination');
  const source = requiredAsset(request, 'source_');
  const amount = amountParameter(request, 'source_amount');
  const names =
    account === undefined
      ? new Set(listed.map(canonicalAsset))
      : new Set(holdingsOf(view, account).keys());
  requireFew(names.size, account === undefined ? 'destination_assets' : 'destination_account');
  const paths = pathsSending(market(view, undefined), source, amount, (asset) =>
    names.has(canonicalAsset(asset)),
  );
  return listResource(paths.map(pathResource));
}

function market(view: HorizonView, payer: AccountIdString | undefined): PathMarket {
  const { engine } = view.network.service;
  return {
    state: view.state,
    markets: view.indexes.get(Markets),
    frozenKeys: engine.settings().frozenKeys,
    payer: publicKeyOf(payer ?? NOBODY),
  };
}

/** An account's balance of each asset; empty if the account does not exist. */
function holdingsOf(view: HorizonView, account: AccountIdString): Map<string, bigint> {
  const holdings = new Map<string, bigint>();
  const entry = view.state.peek(accountKeyId(publicKeyOf(account)));
  if (entry?.data.type !== 'account') return holdings;
  holdings.set('native', entry.data.account.balance);
  for (const id of view.indexes.get(OwnedEntries).trustlines(account)) {
    const line = view.state.peek(id);
    if (line?.data.type !== 'trustline') continue;
    const { asset, balance } = line.data.trustLine;
    if (asset.type === 'assetTypePoolShare') continue;
    holdings.set(canonicalAsset(asset), balance);
  }
  return holdings;
}

function requireOneEnd(account: boolean, assets: boolean, end: 'source' | 'destination'): void {
  if (account !== assets) return;
  throw new HorizonProblem(
    'bad_request',
    undefined,
    `The request requires either a list of ${end} assets or a ${end} account. Both fields cannot be present.`,
  );
}

function requireFew(assets: number, field: string): void {
  if (assets <= MAX_ASSETS) return;
  throw invalidField(field, `list of assets exceeds maximum length of ${MAX_ASSETS}`);
}
