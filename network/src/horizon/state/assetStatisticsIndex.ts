import { StrKey, xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, type LedgerKeyId, trustlineKeyId } from '../../state/index.ts';
import { isAuthorized, TRUSTLINE_FLAGS } from '../../transaction/balances/index.ts';
import { type AssetTypeText, assetTypeText, creditAsset, creditText } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';
import type { Order } from '../http/paging.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

type Authorization = 'authorized' | 'authorizedToMaintainLiabilities' | 'unauthorized';

/** How many holders of one kind an asset has, and how much they hold, in stroops. */
interface Held {
  holders: number;
  amount: bigint;
}

/** How an asset is held. */
export interface AssetStatistics {
  readonly type: Exclude<AssetTypeText, 'native' | 'liquidity_pool_shares'>;
  readonly code: string;
  /** `G…` */
  readonly issuer: string;
  readonly trustlines: Readonly<Record<Authorization, Held>>;
  readonly claimableBalances: Held;
  readonly pools: Held;
  /** How many entries show that its contract is deployed: one or none. */
  contracts: number;
}

/** Tracks the statistics of every asset that is held or whose contract is deployed. */
export class AssetIndex implements StateFollower {
  readonly types = [
    ENTRY_TYPES.trustline,
    ENTRY_TYPES.claimableBalance,
    ENTRY_TYPES.liquidityPool,
    ENTRY_TYPES.contractData,
  ];
  readonly #assets = new PrefixTree<AssetStatistics>();
  /** Balances of contracts, by the contract of the asset. */
  readonly #heldByContracts = new Map<string, Held>();

  add(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    this.#count(entry(), 1);
  }

  remove(_id: LedgerKeyId, entry: () => xdr.LedgerEntry): void {
    this.#count(entry(), -1);
  }

  /**
   * Assets by code, then by issuer.
   * @param code only assets with this code, unless empty
   */
  walk(code: string, order: Order, behind?: string): Iterable<AssetStatistics> {
    const prefix = code === '' ? '' : `${code}_`;
    if (behind === undefined) return this.#assets.walk(prefix, order);
    if (behind.startsWith(prefix)) {
      return this.#assets.walk(prefix, order, behind.slice(prefix.length));
    }
    const isAllBehind = order === 'asc' ? behind < prefix : behind > prefix;
    return isAllBehind ? this.#assets.walk(prefix, order) : [];
  }

  /** The balances that contracts hold of an asset. @param contract id of the asset's contract, hex */
  heldByContracts(contract: string): Held {
    return this.#heldByContracts.get(contract) ?? { holders: 0, amount: 0n };
  }

  #count({ data }: xdr.LedgerEntry, sign: 1 | -1): void {
    switch (data.type) {
      case 'trustline': {
        const { asset, balance } = data.trustLine;
        const authorization = authorizationOf(data.trustLine);
        this.#change(asset, ({ trustlines }) => hold(trustlines[authorization], balance, sign));
        break;
      }
      case 'claimableBalance': {
        const { asset, amount } = data.claimableBalance;
        this.#change(asset, ({ claimableBalances }) => hold(claimableBalances, amount, sign));
        break;
      }
      case 'liquidityPool': {
        const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct;
        this.#change(params.assetA, ({ pools }) => hold(pools, reserveA, sign));
        this.#change(params.assetB, ({ pools }) => hold(pools, reserveB, sign));
        break;
      }
      case 'contractData': {
        const asset = deployedAsset(data.contractData);
        if (asset !== undefined) {
          this.#change(asset, (statistics) => {
            statistics.contracts += sign;
          });
        }
        const balance = contractBalance(data.contractData);
        if (balance !== undefined) this.#countContract(balance, sign);
        break;
      }
    }
  }

  #change(
    asset: xdr.Asset | xdr.TrustLineAsset,
    change: (statistics: AssetStatistics) => void,
  ): void {
    const credit = creditText(asset);
    const type = assetTypeText(asset);
    if (credit === undefined || type === 'native' || type === 'liquidity_pool_shares') return;
    const place = `${credit.code}_${credit.issuer}_${type}`;
    const statistics = this.#assets.get(place) ?? { type, ...credit, ...nothing() };
    change(statistics);
    if (isHeld(statistics)) this.#assets.set(place, statistics);
    else this.#assets.delete(place);
  }

  #countContract({ contract, amount }: ContractBalance, sign: 1 | -1): void {
    const held = this.#heldByContracts.get(contract) ?? { holders: 0, amount: 0n };
    hold(held, amount, sign);
    if (held.holders > 0) this.#heldByContracts.set(contract, held);
    else this.#heldByContracts.delete(contract);
  }
}

function hold(held: Held, amount: bigint, sign: 1 | -1): void {
  held.holders += sign;
  held.amount += sign === 1 ? amount : -amount;
}

function nothing(): Omit<AssetStatistics, 'type' | 'code' | 'issuer'> {
  const none = (): Held => ({ holders: 0, amount: 0n });
  return {
    trustlines: {
      authorized: none(),
      authorizedToMaintainLiabilities: none(),
      unauthorized: none(),
    },
    claimableBalances: none(),
    pools: none(),
    contracts: 0,
  };
}

function isHeld({ trustlines, claimableBalances, pools, contracts }: AssetStatistics): boolean {
  const ways = [...Object.values(trustlines), claimableBalances, pools];
  return contracts > 0 || ways.some(({ holders }) => holders > 0);
}

function authorizationOf(line: xdr.TrustLineEntry): Authorization {
  if (isAuthorized(line)) return 'authorized';
  return (line.flags & TRUSTLINE_FLAGS.authorizedToMaintainLiabilities) !== 0
    ? 'authorizedToMaintainLiabilities'
    : 'unauthorized';
}

/** A contract's balance of an asset. */
interface ContractBalance {
  /** Id of the asset's contract, hex. */
  readonly contract: string;
  readonly amount: bigint;
}

/**
 * The asset that a contract's instance claims to represent; undefined if it is not the contract of an issued asset. Only the
 * contract's id shows whether the claim is true.
 */
function deployedAsset(entry: xdr.ContractDataEntry): xdr.Asset | undefined {
  if (entry.key.type !== 'scvLedgerKeyContractInstance') return undefined;
  if (entry.val.type !== 'scvContractInstance') return undefined;
  const { executable, storage } = entry.val.instance;
  if (executable.type !== 'contractExecutableStellarAsset' || storage === null) return undefined;
  const info = storage.find(({ key }) => isVariant(key, 'AssetInfo'))?.val;
  const fields = info?.type === 'scvVec' ? info.vec?.[1] : undefined;
  if (fields?.type !== 'scvMap' || fields.map === null) return undefined;
  const [code, issuer] = ['asset_code', 'issuer'].map((name) => mapValue(fields.map, name));
  if (code?.type !== 'scvString' || issuer?.type !== 'scvBytes') return undefined;
  const address = StrKey.encodeEd25519PublicKey(issuer.bytes.value);
  return creditAsset(code.str.toString().replaceAll('\0', ''), address);
}

/** The balance of another contract that an entry of an asset's contract stores, if any. */
function contractBalance(entry: xdr.ContractDataEntry): ContractBalance | undefined {
  const { key, val, contract } = entry;
  if (key.type !== 'scvVec' || key.vec?.length !== 2 || val.type !== 'scvMap') return undefined;
  const [, holder] = key.vec;
  if (!isVariant(key, 'Balance') || holder?.type !== 'scvAddress') return undefined;
  if (holder.address.type !== 'scAddressTypeContract') return undefined;
  if (contract.type !== 'scAddressTypeContract' || val.map?.length !== 3) return undefined;
  const amount = mapValue(val.map, 'amount');
  if (amount?.type !== 'scvI128') return undefined;
  const { hi, lo } = amount.i128;
  return { contract: hexText(contract.contractId.value), amount: (hi << 64n) | lo };
}

/** Variants of a contract's enum types are lists that begin with the variant's name. */
function isVariant(value: xdr.ScVal, name: string): boolean {
  const first = value.type === 'scvVec' ? value.vec?.[0] : undefined;
  return first?.type === 'scvSymbol' && first.sym.toString() === name;
}

function mapValue(map: readonly xdr.ScMapEntry[] | null, name: string): xdr.ScVal | undefined {
  return map?.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val;
}

/** Offset of the account in a trustline's key; the asset follows it. */
const ACCOUNT_AT = 8;
const ASSET_AT = ACCOUNT_AT + 32;
const ANYBODY = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32));

/** Indexes accounts by the asset or pool of their trustlines, from the keys alone, without decoding entries. */
export class AssetHolders implements StateFollower {
  readonly types = [ENTRY_TYPES.trustline];
  readonly #accounts = new PrefixTree<AccountIdString>();

  add(id: LedgerKeyId): void {
    this.#accounts.set(placeOf(id), accountOf(id));
  }

  remove(id: LedgerKeyId): void {
    this.#accounts.delete(placeOf(id));
  }

  walk(
    asset: xdr.TrustLineAsset,
    order: Order,
    behind?: AccountIdString,
  ): Iterable<AccountIdString> {
    const prefix = trustlineKeyId(ANYBODY, asset).slice(ASSET_AT);
    return this.#accounts.walk(prefix, order, behind);
  }
}

function placeOf(id: LedgerKeyId): string {
  return id.slice(ASSET_AT) + accountOf(id);
}

function accountOf(id: LedgerKeyId): AccountIdString {
  return id.slice(ACCOUNT_AT, ASSET_AT) as AccountIdString;
}
