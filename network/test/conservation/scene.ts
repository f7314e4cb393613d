import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { accountKeyId, trustlineKeyId } from '../../src/state/index.ts';
import type { Mirror } from './mirror.ts';
import type { Random } from './random.ts';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An account whose key follows from its name. */
export interface Actor {
  readonly id: xdr.PublicKey;
  sign(hash: Uint8Array): xdr.DecoratedSignature;
}

export const NATIVE = xdr.Asset.assetTypeNative();
export const INT64_MAX = 2n ** 63n - 1n;

/** Who and what there is, and how chance chooses among it. */
export class Scene {
  readonly random: Random;
  readonly mirror: Mirror;
  /** Issue assets; each in its own way. */
  readonly issuers: readonly [Actor, Actor, Actor];
  /** Hold and trade. */
  readonly traders: readonly Actor[];
  /** Have few entries, so that they can be merged away and made again. */
  readonly drifters: readonly Actor[];
  readonly credits: readonly [xdr.Asset, ...xdr.Asset[]];
  readonly pools: readonly [xdr.LiquidityPoolParameters, ...xdr.LiquidityPoolParameters[]];
  /** The last sequence number that each source has used in the ledger that is being made. */
  readonly #used = new Map<string, bigint>();

  constructor(random: Random, mirror: Mirror) {
    this.random = random;
    this.mirror = mirror;
    this.issuers = [actor('issuer 0'), actor('issuer 1'), actor('issuer 2')];
    this.traders = Array.from({ length: 6 }, (_, index) => actor(`trader ${index}`));
    this.drifters = Array.from({ length: 4 }, (_, index) => actor(`drifter ${index}`));
    const [a, b, c] = this.issuers.map(({ id }, index) => credit(`AS${index}`, id));
    if (a === undefined || b === undefined || c === undefined) throw new RangeError('no assets');
    this.credits = [a, b, c];
    this.pools = [pool(NATIVE, a), pool(NATIVE, c), pool(a, b), pool(b, c)];
  }

  get actors(): readonly Actor[] {
    return [...this.issuers, ...this.traders, ...this.drifters];
  }

  /** Mostly somebody who exists. */
  anybody(): Actor {
    return this.random.chance(0.02) ? this.drifter() : this.somebody();
  }

  /** Somebody who exists. */
  somebody(): Actor {
    const chosen = this.random.chance(0.6) ? this.trader() : this.random.pick(this.actors);
    if (chosen !== undefined && this.exists(chosen.id)) return chosen;
    return this.random.pick(this.actors.filter(({ id }) => this.exists(id))) ?? this.issuers[0];
  }

  trader(): Actor {
    return this.random.pick(this.traders) ?? this.issuers[0];
  }

  drifter(): Actor {
    return this.random.pick(this.drifters) ?? this.issuers[0];
  }

  asset(): xdr.Asset {
    return this.random.chance(0.3) ? NATIVE : this.credit();
  }

  credit(): xdr.Asset {
    return this.random.pick(this.credits);
  }

  actorOf(id: xdr.PublicKey): Actor | undefined {
    return this.actors.find((known) => same(known.id, id));
  }

  exists(id: xdr.PublicKey): boolean {
    return this.account(id) !== undefined;
  }

  account(id: xdr.PublicKey): xdr.AccountEntry | undefined {
    const data = this.mirror.get(accountKeyId(id))?.data;
    return data?.type === 'account' ? data.account : undefined;
  }

  line(owner: xdr.PublicKey, asset: xdr.TrustLineAsset): xdr.TrustLineEntry | undefined {
    const data = this.mirror.get(trustlineKeyId(owner, asset))?.data;
    return data?.type === 'trustline' ? data.trustLine : undefined;
  }

  /** The next sequence number of a source, also for a second transaction in one ledger. */
  nextSequence(source: xdr.PublicKey): bigint {
    const key = source.toXdr('base64');
    const next = (this.#used.get(key) ?? this.account(source)?.seqNum ?? 0n) + 1n;
    this.#used.set(key, next);
    return next;
  }

  /** From here on the ledger says which sequence numbers are used. */
  startLedger(): void {
    this.#used.clear();
  }

  balance(owner: xdr.PublicKey, asset: xdr.Asset): bigint {
    if (asset.type === 'assetTypeNative') return this.account(owner)?.balance ?? 0n;
    return this.line(owner, lineAsset(asset))?.balance ?? 1_000_000n;
  }

  /** Mostly a part of what there is; now and then a little, all of it, too much, or nonsense. */
  amount(available: bigint): bigint {
    const { random } = this;
    const kind = random.below(20);
    if (available >= INT64_MAX || kind === 0) {
      return random.pick([0n, -1n, INT64_MAX, available < INT64_MAX ? available + 1n : 1n]);
    }
    if (kind === 1) return available;
    if (kind < 6) return 1n + random.bigBelow(12n);
    if (kind < 12) return 1n + random.bigBelow(available / 100n);
    return 1n + random.bigBelow(available / 5n);
  }

  price(): xdr.Price {
    const { random } = this;
    const kind = random.below(20);
    if (kind === 0) return new xdr.Price({ n: 1 + random.below(2 ** 31 - 1), d: 1 });
    if (kind === 1) return new xdr.Price({ n: 1, d: 1 + random.below(2 ** 31 - 1) });
    if (kind === 2) return new xdr.Price({ n: random.below(2), d: random.below(2) });
    if (kind < 8) return new xdr.Price({ n: 95 + random.below(11), d: 95 + random.below(11) });
    return new xdr.Price({ n: 1 + random.below(4), d: 1 + random.below(4) });
  }

  /** The account's address; now and then with a multiplexing id. */
  address(id: xdr.PublicKey): xdr.MuxedAccount {
    if (!this.random.chance(0.1)) return xdr.MuxedAccount.keyTypeEd25519(id.ed25519);
    return xdr.MuxedAccount.keyTypeMuxedEd25519(
      new xdr.MuxedAccountMed25519({ id: this.random.bigBelow(5n), ed25519: id.ed25519 }),
    );
  }
}

export function actor(name: string): Actor {
  const seed = createHash('sha256').update(name).digest();
  return actorOfSeed(seed);
}

export function actorOfSeed(seed: Uint8Array): Actor {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = key.export({ format: 'jwk' });
  const bytes = Buffer.from(x ?? '', 'base64url');
  return {
    id: xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(bytes)),
    sign: (hash) =>
      new xdr.DecoratedSignature({
        hint: new Uint8Array(bytes.subarray(28)),
        signature: new Uint8Array(sign(null, hash, key)),
      }),
  };
}

export function same(a: xdr.PublicKey, b: xdr.PublicKey): boolean {
  return Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
}

export function issuerOf(asset: xdr.Asset): xdr.PublicKey | undefined {
  return asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4.issuer : undefined;
}

export function lineAsset(asset: xdr.Asset): xdr.TrustLineAsset {
  return xdr.TrustLineAsset.fromXdr(asset.toXdr());
}

export function poolId(parameters: xdr.LiquidityPoolParameters): xdr.PoolId {
  return new xdr.PoolId(createHash('sha256').update(parameters.toXdr()).digest());
}

function credit(code: string, issuer: xdr.PublicKey): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code, issuer }));
}

function pool(assetA: xdr.Asset, assetB: xdr.Asset): xdr.LiquidityPoolParameters {
  return xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
    new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee: 30 }),
  );
}
