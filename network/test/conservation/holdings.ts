import assert from 'node:assert/strict';
import { xdr } from '@stellar/stellar-sdk';
import type { Mirror } from './mirror.ts';
import { NATIVE } from './scene.ts';

/** Who holds how much of what: `address/asset`, both as XDR in base64. */
type Sheet = Map<string, bigint>;

const { ScAddress } = xdr;

/** What every account, pool and claimable balance holds, as the entries say. */
function holdings(mirror: Mirror): Sheet {
  const sheet: Sheet = new Map();
  const add = (address: xdr.ScAddress, asset: xdr.Asset, amount: bigint): void =>
    addTo(sheet, place(address, asset), amount);
  for (const { data } of mirror.entries.values()) {
    switch (data.type) {
      case 'account':
        add(ScAddress.scAddressTypeAccount(data.account.accountId), NATIVE, data.account.balance);
        break;
      case 'trustline': {
        const { accountId, asset, balance } = data.trustLine;
        if (asset.type === 'assetTypePoolShare') break;
        add(ScAddress.scAddressTypeAccount(accountId), xdr.Asset.fromXdr(asset.toXdr()), balance);
        break;
      }
      case 'claimableBalance': {
        const { balanceId, asset, amount } = data.claimableBalance;
        add(ScAddress.scAddressTypeClaimableBalance(balanceId), asset, amount);
        break;
      }
      case 'liquidityPool': {
        const { liquidityPoolId, body } = data.liquidityPool;
        const { params, reserveA, reserveB } = body.constantProduct;
        const address = ScAddress.scAddressTypeLiquidityPool(liquidityPoolId);
        add(address, params.assetA, reserveA);
        add(address, params.assetB, reserveB);
        break;
      }
    }
  }
  return sheet;
}

/** Keeps books on nothing but the events (CAP-67), and compares them with what entries hold. */
export class Ledgerbook {
  readonly #held: Sheet;
  readonly #issued = new Map<string, bigint>();
  readonly #assets = new Map<string, xdr.Asset>();

  constructor(mirror: Mirror, assets: readonly xdr.Asset[], nameOf: (asset: xdr.Asset) => string) {
    this.#held = holdings(mirror);
    for (const asset of [NATIVE, ...assets]) this.#assets.set(nameOf(asset), asset);
    for (const [at, amount] of this.#held) addTo(this.#issued, assetIn(at), amount);
  }

  follow({ body }: xdr.ContractEvent): void {
    const { topics, data } = body.v0;
    const name = topics[0]?.type === 'scvSymbol' ? String(topics[0].sym) : '';
    if (name === 'set_authorized') return;
    const amount = amountIn(data);
    const [first, second] = topics.flatMap((topic) =>
      topic.type === 'scvAddress' ? [topic.address] : [],
    );
    assert.ok(first, `${name} names nobody`);
    const asset = name === 'fee' ? NATIVE : this.#assetNamed(topics.at(-1));
    switch (name) {
      case 'transfer':
        assert.ok(second, 'a transfer names two');
        this.#move(first, asset, -amount);
        this.#move(second, asset, amount);
        return;
      case 'mint':
        this.#issue(asset, amount);
        this.#move(first, asset, amount);
        return;
      case 'burn':
      case 'clawback':
      case 'fee':
        this.#issue(asset, -amount);
        this.#move(first, asset, -amount);
        return;
      default:
        assert.fail(`unknown event ${name}`);
    }
  }

  /** What entries hold is what the books say, for each holder and in all. */
  assertAgrees(mirror: Mirror, header: xdr.LedgerHeader): void {
    const held = holdings(mirror);
    for (const at of new Set([...held.keys(), ...this.#held.keys()])) {
      assert.equal(held.get(at) ?? 0n, this.#held.get(at) ?? 0n, `the events account for ${at}`);
    }
    const totals = new Map<string, bigint>();
    for (const [at, amount] of held) addTo(totals, assetIn(at), amount);
    for (const asset of new Set([...totals.keys(), ...this.#issued.keys()])) {
      assert.equal(
        totals.get(asset) ?? 0n,
        this.#issued.get(asset) ?? 0n,
        `issued is held: ${asset}`,
      );
    }
    const lumens = totals.get(base64(NATIVE)) ?? 0n;
    assert.equal(lumens + header.feePool, header.totalCoins, 'no lumen is made or lost');
  }

  #move(address: xdr.ScAddress, asset: xdr.Asset, amount: bigint): void {
    if (isIssuer(address, asset)) return;
    addTo(this.#held, place(address, asset), amount);
  }

  #issue(asset: xdr.Asset, amount: bigint): void {
    addTo(this.#issued, base64(asset), amount);
  }

  #assetNamed(topic: xdr.ScVal | undefined): xdr.Asset {
    const asset = topic?.type === 'scvString' ? this.#assets.get(String(topic.str)) : undefined;
    assert.ok(asset, 'the event names one of our assets');
    return asset;
  }
}

function amountIn(data: xdr.ScVal): bigint {
  const value = data.type === 'scvMap' ? data.map?.[0]?.val : data;
  assert.equal(value?.type, 'scvI128', 'an amount is an i128');
  return (value.i128.hi << 64n) | value.i128.lo;
}

/** Issuers hold nothing of what they issue; a payment of one to itself is a transfer of nothing. */
function isIssuer(address: xdr.ScAddress, asset: xdr.Asset): boolean {
  return (
    asset.type === 'assetTypeCreditAlphanum4' &&
    address.type === 'scAddressTypeAccount' &&
    base64(address.accountId) === base64(asset.alphaNum4.issuer)
  );
}

function addTo(sheet: Map<string, bigint>, at: string, amount: bigint): void {
  sheet.set(at, (sheet.get(at) ?? 0n) + amount);
}

const base64 = (value: { toXdr(format: 'base64'): string }): string => value.toXdr('base64');
const place = (address: xdr.ScAddress, asset: xdr.Asset): string =>
  `${base64(address)} ${base64(asset)}`;
const assetIn = (at: string): string => at.slice(at.indexOf(' ') + 1);
