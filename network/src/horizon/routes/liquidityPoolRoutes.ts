import { xdr } from '@stellar/stellar-sdk';
import type { Hono } from 'hono';
import { type AccountIdString, type LedgerKeyId, liquidityPoolKeyId } from '../../state/index.ts';
import { canonicalAsset, parseCanonicalAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import { type PageQuery, type PageRecord, takePage } from '../http/paging.ts';
import { accountParameter } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { liquidityPoolRecord } from '../resources/liquidityPool.ts';
import { PoolIndex } from '../state/poolIndex.ts';
import { poolId, poolIdPart } from './parts.ts';

const MAX_RESERVES = 2;

/** `/liquidity_pools`, and one of them. */
export function liquidityPoolRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/liquidity_pools',
    answers.page((request, query) => poolsPage(view, request, query)),
  );
  app.get(
    '/liquidity_pools/:id',
    answers.object((request) => {
      const entry = view.state.peek(poolKey(poolIdPart(request)));
      if (entry?.data.type !== 'liquidityPool') throw new HorizonProblem('not_found');
      const { liquidityPool } = entry.data;
      return liquidityPoolRecord(view, request.links, entry, liquidityPool).resource;
    }),
  );
}

function poolsPage(
  view: HorizonView,
  request: HorizonRequest,
  { cursor, order, limit }: PageQuery,
): PageRecord[] {
  const account = accountParameter(request, 'account');
  const reserves = readReserves(request);
  if (account !== undefined && reserves.length > 0) {
    throw invalidField(
      'account',
      'this endpoint does not support filtering by both accountID and reserve assets.',
    );
  }
  const behind = cursor === '' ? undefined : poolId('cursor', cursor);
  const pools =
    account === undefined
      ? view.indexes.get(PoolIndex).walk(reserves[0], order, behind)
      : poolsOfAccount(view, account, order, behind);
  return takePage(pools, limit, (id) => {
    const entry = view.state.peek(id);
    if (entry?.data.type !== 'liquidityPool') return undefined;
    const { liquidityPool } = entry.data;
    if (!reserves.every((asset) => holds(liquidityPool, asset))) return undefined;
    return liquidityPoolRecord(view, request.links, entry, liquidityPool);
  });
}

function poolsOfAccount(
  view: HorizonView,
  account: AccountIdString,
  order: PageQuery['order'],
  behind: string | undefined,
): LedgerKeyId[] {
  const ids = [...view.state.poolShareTrustlinesOf(account)].flatMap((line) => {
    const entry = view.state.peek(line);
    if (entry?.data.type !== 'trustline') return [];
    const { asset } = entry.data.trustLine;
    return asset.type === 'assetTypePoolShare' ? [hexText(asset.liquidityPoolId.value)] : [];
  });
  ids.sort();
  if (order === 'desc') ids.reverse();
  const isBehind = (id: string): boolean =>
    behind === undefined || (order === 'asc' ? id > behind : id < behind);
  return ids.filter(isBehind).map(poolKey);
}

/** @throws HorizonProblem `bad_request` */
function readReserves(request: HorizonRequest): string[] {
  const names = request.text('reserves').split(',');
  if (names.length > MAX_RESERVES) {
    throw invalidField('reserves', `reserves exceeds maximum length of ${MAX_RESERVES}`);
  }
  return names.flatMap((name) => {
    if (name === '') return [];
    const asset = parseCanonicalAsset(name);
    if (asset !== undefined) return [canonicalAsset(asset)];
    throw invalidField(
      'reserves',
      'Invalid reserves, should be comma-separated list of assets in canonical form',
    );
  });
}

function holds({ body }: xdr.LiquidityPoolEntry, asset: string): boolean {
  const { assetA, assetB } = body.constantProduct.params;
  return canonicalAsset(assetA) === asset || canonicalAsset(assetB) === asset;
}

function poolKey(id: string): LedgerKeyId {
  return liquidityPoolKeyId(new xdr.PoolId(Buffer.from(id, 'hex')));
}
