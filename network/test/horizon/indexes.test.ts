import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { liveStory, type Story } from './story.ts';

/** Everything that is found by an index, in both orders. */
function questions({ cast, gold, usdc, poolId, offerId, ...story }: Story): string[] {
  const { alice, bob, dave, issuer } = cast;
  const asset = `asset_code=GOLD&asset_issuer=${issuer.publicKey()}`;
  const market =
    `base_asset_type=credit_alphanum4&base_${asset.replace('&', '&base_')}` +
    '&counter_asset_type=native';
  const balances = [story.claimedBalanceId, story.openBalanceId];
  const paths = [
    ...[alice, bob, dave, issuer].flatMap((account) =>
      ['transactions', 'operations', 'payments', 'effects', 'trades', 'offers'].map(
        (name) => `/accounts/${account.publicKey()}/${name}?`,
      ),
    ),
    ...[alice, bob, dave, issuer].map((account) => `/accounts/${account.publicKey()}?`),
    '/transactions?include_failed=true&',
    '/operations?include_failed=true&',
    '/payments?',
    '/effects?',
    '/trades?',
    `/trades?${market}&`,
    `/trade_aggregations?${market}&resolution=60000&`,
    `/offers/${offerId}/trades?`,
    ...['transactions', 'operations', 'effects', 'trades'].map(
      (name) => `/liquidity_pools/${poolId}/${name}?`,
    ),
    ...balances.flatMap((id) => [
      `/claimable_balances/${id}/transactions?`,
      `/claimable_balances/${id}/operations?`,
    ]),
    `/accounts?signer=${bob.publicKey()}&`,
    `/accounts?sponsor=${alice.publicKey()}&`,
    `/accounts?asset=GOLD:${issuer.publicKey()}&`,
    `/accounts?asset=${usdc.getCode()}:${usdc.getIssuer()}&`,
    `/accounts?liquidity_pool=${poolId}&`,
    '/assets?',
    `/assets?${asset}&`,
    '/offers?',
    `/offers?selling=GOLD:${gold.getIssuer()}&`,
    '/claimable_balances?',
    `/claimable_balances?claimant=${bob.publicKey()}&`,
    '/liquidity_pools?',
    `/liquidity_pools?reserves=native,GOLD:${issuer.publicKey()}&`,
    `/liquidity_pools?account=${alice.publicKey()}&`,
    `/paths/strict-receive?source_account=${alice.publicKey()}&destination_asset_type=native&destination_amount=1&`,
  ];
  return paths.flatMap((path) => ['asc', 'desc'].map((order) => `${path}limit=200&order=${order}`));
}

/** What a network answers, without where it is. */
async function answers(ledger: RunningLedger, asked: readonly string[]): Promise<string[]> {
  const url = ledger.urls?.horizon ?? '';
  const texts: string[] = [];
  for (const path of asked) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    texts.push((await response.text()).replaceAll(url, ''));
  }
  return texts;
}

describe('An index that followed the network returns the same as a new one', () => {
  it('after everything that Horizon reports has happened', { timeout: 120_000 }, async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'horizon-indexes-'));
    const start = () => startLedger({ port: 0, dataFolder, close: { kind: 'demand' } });
    const following = await start();
    try {
      // An index that is asked at the start follows the network from then on.
      const { url } = { url: following.urls?.horizon ?? '' };
      const friendbot = following.accounts.friendbot.address;
      for (const path of [
        '/payments',
        '/assets',
        '/offers',
        '/claimable_balances',
        '/liquidity_pools',
        `/accounts/${friendbot}`,
        `/accounts?signer=${friendbot}`,
        `/accounts?sponsor=${friendbot}`,
        `/accounts?asset=USDC:${following.accounts.usdcIssuer}`,
        `/paths/strict-send?source_asset_type=native&source_amount=1&destination_assets=native`,
      ]) {
        assert.equal((await fetch(url + path)).status, 200, path);
      }
      const story = await liveStory(following);
      const asked = questions(story);
      const followed = await answers(following, asked);
      await following.close();

      const fresh = await start();
      try {
        const anew = await answers(fresh, asked);
        for (const [at, path] of asked.entries()) assert.equal(anew[at], followed[at], path);
        const empty = asked.filter((_, at) => /"records": \[\]/.test(followed[at] ?? ''));
        assert.ok(empty.length < asked.length / 4, `mostly something is found: ${empty}`);
      } finally {
        await fresh.close();
      }
    } finally {
      await following.close();
      await rm(dataFolder, { recursive: true });
    }
  });
});
