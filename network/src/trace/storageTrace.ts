import { StrKey, xdr } from '@stellar/stellar-sdk';
import { formatDecimalAmount } from '../../../common/amount.ts';
import {
  type LedgerKeyId,
  ledgerKeyId,
  ledgerKeyOf,
  ledgerKeyOfEntry,
  ttlKeyHash,
} from '../state/index.ts';
import type { ContractBook } from './contractBook.ts';
import type { TracedEntry } from './trace.ts';
import { addressText, hexText, type TextRoom, valueText } from './valueText.ts';

/** Maximum number of footprint keys shown; the network allows fewer. */
const MAX_KEYS = 400;

/** An entry before and after; undefined if it does not exist. */
export interface EntryStates {
  readonly before: xdr.LedgerEntry | undefined;
  readonly after: xdr.LedgerEntry | undefined;
}

/** The changes of a transaction, by key id. */
export type StorageChanges = ReadonlyMap<LedgerKeyId, EntryStates>;

/** TTLs of entries before and after the transaction, by the hex of their keys' hashes. */
export type TtlChanges = ReadonlyMap<
  string,
  { readonly before: number | null; readonly after: number }
>;

export interface StorageSource {
  /** Undefined for operations without a footprint; the changed entries are shown instead. */
  readonly footprint: xdr.LedgerFootprint | undefined;
  readonly changes: StorageChanges;
  readonly ttls: TtlChanges;
  /** The last ledger in which an unchanged entry is live; undefined if unknown. */
  readonly liveUntil: (id: LedgerKeyId) => number | undefined;
}

/** Reads the changes of a transaction's operations from its meta. */
export function storageChanges(list: readonly xdr.LedgerEntryChange[]): {
  changes: StorageChanges;
  ttls: TtlChanges;
} {
  const changes = new Map<LedgerKeyId, EntryStates>();
  const ttls = new Map<string, { before: number | null; after: number }>();
  for (const change of list) {
    const [id, entry] = changed(change);
    if (entry?.data.type === 'ttl') {
      const { keyHash, liveUntilLedgerSeq: after } = entry.data.ttl;
      const hash = Buffer.from(keyHash.value).toString('hex');
      const before = ttls.get(hash);
      // The first change is the previous state, which a created entry does not have.
      ttls.set(hash, {
        before: before?.before ?? (change.type === 'ledgerEntryState' ? after : null),
        after,
      });
      continue;
    }
    const before = changes.get(id)?.before;
    if (change.type === 'ledgerEntryState') changes.set(id, { before: entry, after: entry });
    else changes.set(id, { before, after: entry });
  }
  return { changes, ttls };
}

function changed(change: xdr.LedgerEntryChange): [LedgerKeyId, xdr.LedgerEntry | undefined] {
  if (change.type === 'ledgerEntryRemoved') return [ledgerKeyId(change.removed), undefined];
  const entry = change.value;
  return [ledgerKeyId(ledgerKeyOfEntry(entry)), entry];
}

export function storageTrace(
  { footprint, changes, ttls, liveUntil }: StorageSource,
  book: ContractBook,
  room: TextRoom,
): TracedEntry[] {
  const keys =
    footprint === undefined
      ? [...changes.keys()].slice(0, MAX_KEYS).map((id) => ['write', ledgerKeyOf(id)] as const)
      : [
          ...footprint.readOnly.map((key) => ['read', key] as const),
          ...footprint.readWrite.map((key) => ['write', key] as const),
        ];
  return keys.slice(0, MAX_KEYS).map(([access, key]) => {
    const id = ledgerKeyId(key);
    const states = changes.get(id);
    const ttl = ttls.get(Buffer.from(ttlKeyHash(id)).toString('hex'));
    const moved = ttl !== undefined && ttl.before !== null && ttl.before !== ttl.after;
    return {
      ...keyParts(key, book, room),
      access,
      before: states?.before === undefined ? null : entryText(states.before, room),
      after: states?.after === undefined ? null : entryText(states.after, room),
      changed: states !== undefined,
      liveUntilLedger: ttl?.after ?? liveUntil(id) ?? null,
      liveUntilLedgerBefore: moved ? ttl.before : null,
    };
  });
}

function keyParts(
  key: xdr.LedgerKey,
  book: ContractBook,
  room: TextRoom,
): Pick<TracedEntry, 'contract' | 'key' | 'kind'> {
  switch (key.type) {
    case 'contractData': {
      const { contract, key: name, durability } = key.contractData;
      const { id, name: known } = book(addressText(contract));
      const kind = name.type === 'scvLedgerKeyContractInstance' ? 'instance' : durability.name;
      return { contract: { id, name: known }, key: valueText(name, room), kind };
    }
    case 'contractCode':
      return { contract: null, key: hexText(key.contractCode.hash.value), kind: 'code' };
    case 'account':
      return { contract: null, key: `account ${account(key.account.accountId)}`, kind: 'classic' };
    case 'trustline': {
      const { accountId, asset } = key.trustLine;
      const what = `${assetText(asset)} trustline of ${account(accountId)}`;
      return { contract: null, key: what, kind: 'classic' };
    }
    case 'offer': {
      const { offerId, sellerId } = key.offer;
      return { contract: null, key: `offer ${offerId} of ${account(sellerId)}`, kind: 'classic' };
    }
    case 'data': {
      const name = valueText(xdr.ScVal.scvString(key.data.dataName.toString()), room);
      return {
        contract: null,
        key: `data ${name} of ${account(key.data.accountId)}`,
        kind: 'classic',
      };
    }
    case 'claimableBalance':
      return { contract: null, key: 'claimable balance', kind: 'classic' };
    case 'liquidityPool':
      return { contract: null, key: 'liquidity pool', kind: 'classic' };
    default:
      return { contract: null, key: key.type, kind: 'classic' };
  }
}

function entryText({ data }: xdr.LedgerEntry, room: TextRoom): string {
  switch (data.type) {
    case 'contractData':
      return valueText(data.contractData.val, room);
    case 'contractCode':
      return `${data.contractCode.code.length} bytes of code`;
    case 'account':
      return `${formatDecimalAmount(data.account.balance)} XLM`;
    case 'trustline':
      return `${formatDecimalAmount(data.trustLine.balance)} ${assetText(data.trustLine.asset)}`;
    case 'offer': {
      const { amount, selling, buying, price } = data.offer;
      return `${formatDecimalAmount(amount)} ${assetText(selling)} for ${assetText(buying)} at ${price.n}/${price.d}`;
    }
    case 'data':
      return hexText(data.data.dataValue.value);
    case 'claimableBalance': {
      const { amount, asset } = data.claimableBalance;
      return `${formatDecimalAmount(amount)} ${assetText(asset)}`;
    }
    case 'liquidityPool': {
      const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct;
      const [a, b] = [assetText(params.assetA), assetText(params.assetB)];
      return `${formatDecimalAmount(reserveA)} ${a}, ${formatDecimalAmount(reserveB)} ${b}`;
    }
    default:
      return data.type;
  }
}

function assetText(asset: xdr.TrustLineAsset | xdr.Asset): string {
  switch (asset.type) {
    case 'assetTypeCreditAlphanum4':
      return codeText(asset.alphaNum4.assetCode.value);
    case 'assetTypeCreditAlphanum12':
      return codeText(asset.alphaNum12.assetCode.value);
    case 'assetTypeNative':
      return 'XLM';
    default:
      return 'pool share';
  }
}

function codeText(code: Uint8Array): string {
  return Buffer.from(code)
    .toString('latin1')
    .replace(/\0+$/, '')
    .replace(/[^A-Za-z0-9]/g, '?');
}

function account(id: xdr.PublicKey): string {
  return StrKey.encodeEd25519PublicKey(id.ed25519.value);
}
