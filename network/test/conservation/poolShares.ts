import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk';
import type { Mirror } from './mirror.ts';
import { issuerOf, same } from './scene.ts';

/** Asserts that pools count their shares and holders correctly, and trustlines the pools that use them. */
export function assertPoolShares(mirror: Mirror): void {
  const shares = mirror
    .ofType('trustline')
    .flatMap(({ data: { trustLine } }) =>
      trustLine.asset.type === 'assetTypePoolShare'
        ? [{ ...trustLine, pool: trustLine.asset.liquidityPoolId.toString() }]
        : [],
    );
  const uses = new Map<string, number>();
  for (const { data } of mirror.ofType('liquidityPool')) {
    const { liquidityPoolId, body } = data.liquidityPool;
    const pool = body.constantProduct;
    const held = shares.filter((share) => share.pool === liquidityPoolId.toString());
    assert.ok(held.length > 0, 'a pool goes with its last trustline');
    assert.equal(pool.poolSharesTrustLineCount, BigInt(held.length));
    assert.equal(
      pool.totalPoolShares,
      held.reduce((sum, { balance }) => sum + balance, 0n),
    );
    assert.equal(pool.totalPoolShares === 0n, pool.reserveA === 0n && pool.reserveB === 0n);
    for (const asset of [pool.params.assetA, pool.params.assetB]) {
      const issuer = issuerOf(asset);
      for (const { accountId } of held) {
        if (issuer === undefined || same(issuer, accountId)) continue;
        const at = lineOf(accountId, asset);
        uses.set(at, (uses.get(at) ?? 0) + 1);
      }
    }
  }
  for (const { data } of mirror.ofType('trustline')) {
    const { accountId, asset, ext } = data.trustLine;
    const stored =
      ext.type === 'v1' && ext.v1.ext.type === 'v2' ? ext.v1.ext.v2.liquidityPoolUseCount : 0;
    assert.equal(stored, uses.get(lineOf(accountId, asset)) ?? 0, 'pools in use are counted');
    uses.delete(lineOf(accountId, asset));
  }
  assert.deepEqual([...uses.keys()], [], 'who shares in a pool has a trustline to its assets');
}

function lineOf(account: xdr.PublicKey, asset: xdr.Asset | xdr.TrustLineAsset): string {
  return account.toXdr('base64') + asset.toXdr('base64');
}
