import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk';
import { accountKeyId, type LedgerKeyId, trustlineKeyId } from '../../src/state/index.ts';
import type { Mirror } from './mirror.ts';
import { INT64_MAX, issuerOf, lineAsset, same } from './scene.ts';

interface Liabilities {
  buying: bigint;
  selling: bigint;
}

const NONE: Liabilities = { buying: 0n, selling: 0n };
const PASSIVE = 0x1;

/** Accounts and trustlines owe exactly what their owner's offers buy and sell, and can (CAP-3). */
export function assertLiabilities(mirror: Mirror): void {
  const owed = new Map<LedgerKeyId, Liabilities>();
  const at = (owner: xdr.PublicKey, asset: xdr.Asset): Liabilities => {
    const issuer = issuerOf(asset);
    if (issuer !== undefined && same(issuer, owner)) return { ...NONE };
    const id =
      asset.type === 'assetTypeNative'
        ? accountKeyId(owner)
        : trustlineKeyId(owner, lineAsset(asset));
    const known = owed.get(id) ?? { ...NONE };
    owed.set(id, known);
    return known;
  };
  for (const { data } of mirror.ofType('offer')) {
    const { sellerId, selling, buying } = data.offer;
    const { bought, sold } = tradable(data.offer);
    at(sellerId, buying).buying += bought;
    at(sellerId, selling).selling += sold;
  }

  for (const { data } of mirror.ofType('account')) {
    const { account } = data;
    const id = accountKeyId(account.accountId);
    const stored = account.ext.type === 'v1' ? account.ext.v1.liabilities : NONE;
    assertOwed(stored, owed.get(id), { balance: account.balance, limit: INT64_MAX });
    owed.delete(id);
  }
  for (const { data } of mirror.ofType('trustline')) {
    const { trustLine } = data;
    const id = trustlineKeyId(trustLine.accountId, trustLine.asset);
    const stored = trustLine.ext.type === 'v1' ? trustLine.ext.v1.liabilities : NONE;
    assertOwed(stored, owed.get(id), trustLine);
    owed.delete(id);
  }
  assert.deepEqual([...owed.keys()], [], 'an offer has an account or trustline on each side');
}

/** What an offer whose owner lacks nothing buys and sells, when it is taken whole. */
function tradable({ amount, price }: xdr.OfferEntry): { bought: bigint; sold: bigint } {
  assert.ok(amount > 0n, 'an offer sells something');
  const [n, d] = [BigInt(price.n), BigInt(price.d)];
  const bought = (amount * n) / d;
  const sold = n > d ? amount : (bought * d + n - 1n) / n;
  assert.equal(sold, amount, 'an offer is adjusted to what it can sell');
  return { bought, sold };
}

function assertOwed(
  { buying, selling }: Liabilities,
  expected: Liabilities | undefined,
  { balance, limit }: { readonly balance: bigint; readonly limit: bigint },
): void {
  assert.deepEqual({ buying, selling }, expected ?? NONE, 'liabilities are those of the offers');
  assert.ok(balance >= selling, 'what offers sell is there');
  assert.ok(balance + buying <= limit, 'there is room for what offers buy');
}

/** No two open offers would trade with each other; passive ones may meet at one price. */
export function assertBookNotCrossed(mirror: Mirror): void {
  const offers = mirror.ofType('offer').map(({ data: { offer } }) => ({
    offer,
    market: offer.selling.toXdr('base64') + offer.buying.toXdr('base64'),
    facing: offer.buying.toXdr('base64') + offer.selling.toXdr('base64'),
  }));
  for (const { offer: a, facing } of offers) {
    for (const { offer: b, market } of offers) {
      if (market !== facing || a.offerId >= b.offerId) continue;
      const mine = BigInt(a.price.n) * BigInt(b.price.n);
      const theirs = BigInt(a.price.d) * BigInt(b.price.d);
      const passive = ((a.flags | b.flags) & PASSIVE) !== 0;
      assert.ok(mine > theirs || (passive && mine === theirs), 'the book is not crossed');
    }
  }
}
