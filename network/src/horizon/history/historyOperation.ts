import type { xdr } from '@stellar/stellar-sdk';
import { type ClosedLedger, type ClosedTransaction, totalOrderId } from '../../history/index.ts';
import { entryKeyId, type LedgerKeyId } from '../../state/index.ts';
import { signerSponsors } from '../../transaction/balances/index.ts';
import { signerText } from '../format/address.ts';
import { type AssetEvent, readAssetEvent } from './assetEvent.ts';

type Body = xdr.OperationBody;
type Results = xdr.OperationResultTr;

/** What an operation knows about its transaction. */
export interface OperationContext {
  readonly networkId: Uint8Array;
  readonly ledger: ClosedLedger;
  readonly transaction: ClosedTransaction;
  readonly source: xdr.MuxedAccount;
  readonly operations: readonly HistoryOperation[];
  /** The results of its operations; undefined if none was attempted. */
  readonly results: readonly xdr.OperationResult[] | undefined;
}

/** An operation of a closed ledger, with its changes. */
export class HistoryOperation {
  readonly in: OperationContext;
  /** From 0. */
  readonly index: number;
  readonly body: Body;
  /** The account on whose behalf it acted, as given in the operation or transaction. */
  readonly source: xdr.MuxedAccount;
  #deltas: readonly EntryDelta[] | undefined;
  #assetEvents: readonly AssetEvent[] | undefined;

  constructor(home: OperationContext, index: number, { body, sourceAccount }: xdr.Operation) {
    this.in = home;
    this.index = index;
    this.body = body;
    this.source = sourceAccount ?? home.source;
  }

  get ledger(): ClosedLedger {
    return this.in.ledger;
  }

  get transaction(): ClosedTransaction {
    return this.in.transaction;
  }

  get id(): bigint {
    return totalOrderId({
      ledger: this.ledger.sequence,
      transaction: this.transaction.applicationOrder,
      operation: this.index + 1,
    });
  }

  /** The change of each entry that it touched, sorted by key; none if its transaction failed. */
  get deltas(): readonly EntryDelta[] {
    this.#deltas ??= deltasOf(this.#changes());
    return this.#deltas;
  }

  /** The events of asset contracts; only those of contract calls are considered. */
  get assetEvents(): readonly AssetEvent[] {
    this.#assetEvents ??= this.#readAssetEvents();
    return this.#assetEvents;
  }

  /** The result, if the operation is of this type; undefined for other types, or if its transaction failed. */
  result<T extends Results['type']>(type: T): Extract<Results, { type: T }> | undefined {
    const results = this.in.results;
    const result = results?.[this.index];
    if (result?.type !== 'opInner' || !this.transaction.successful) return undefined;
    return isOf(result.tr, type) ? result.tr : undefined;
  }

  #changes(): readonly xdr.LedgerEntryChange[] {
    return this.transaction.operationChanges(this.index);
  }

  #readAssetEvents(): AssetEvent[] {
    if (this.body.type !== 'invokeHostFunction') return [];
    const events = this.transaction.eventsOfOperation(this.index);
    return events.flatMap((event) => readAssetEvent(this.in.networkId, event) ?? []);
  }
}

function isOf<T extends Results['type']>(
  result: Results,
  type: T,
): result is Extract<Results, { type: T }> {
  return result.type === type;
}

type EntryType = xdr.LedgerEntryData['type'];
type DataOf<T extends EntryType> = Extract<xdr.LedgerEntryData, { type: T }>;

/** The change of one entry: created if there is no `before`, removed if there is no `after`. */
export interface EntryDelta {
  readonly id: LedgerKeyId;
  readonly type: EntryType;
  readonly before: xdr.LedgerEntry | undefined;
  readonly after: xdr.LedgerEntry | undefined;
}

/** Pairs the changes of an operation, in the order of their keys (Go SDK `ingest`). */
function deltasOf(changes: readonly xdr.LedgerEntryChange[]): EntryDelta[] {
  const deltas: EntryDelta[] = [];
  let last: xdr.LedgerEntry | undefined;
  for (const change of changes) {
    switch (change.type) {
      case 'ledgerEntryState':
        last = change.state;
        break;
      case 'ledgerEntryCreated':
        deltas.push(deltaOf(change.created, undefined, change.created));
        break;
      case 'ledgerEntryRestored':
        last = change.restored;
        deltas.push(deltaOf(change.restored, undefined, change.restored));
        break;
      case 'ledgerEntryUpdated':
        deltas.push(deltaOf(change.updated, last, change.updated));
        break;
      case 'ledgerEntryRemoved':
        if (last !== undefined) deltas.push(deltaOf(last, last, undefined));
        break;
    }
  }
  return deltas.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** An entry's data, if it is of the given type. */
export function dataOf<T extends EntryType>(
  entry: xdr.LedgerEntry | undefined,
  type: T,
): DataOf<T> | undefined {
  return entry !== undefined && isData(entry.data, type) ? entry.data : undefined;
}

function isData<T extends EntryType>(data: xdr.LedgerEntryData, type: T): data is DataOf<T> {
  return data.type === type;
}

function deltaOf(
  entry: xdr.LedgerEntry,
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
): EntryDelta {
  return { id: entryKeyId(entry), type: entry.data.type, before, after };
}

/** The change that an operation made to a pool. */
interface PoolDelta {
  /** The pool after the change, or before it if the pool was removed. */
  readonly pool: xdr.LiquidityPoolEntry;
  readonly reserveA: bigint;
  readonly reserveB: bigint;
  readonly shares: bigint;
}

/** The change of the pool with this id; without an id, that of the first pool touched. */
export function poolDelta(deltas: readonly EntryDelta[], id?: xdr.PoolId): PoolDelta | undefined {
  for (const { before, after } of deltas) {
    const former = dataOf(before, 'liquidityPool')?.liquidityPool;
    const latter = dataOf(after, 'liquidityPool')?.liquidityPool;
    const pool = latter ?? former;
    if (pool === undefined || (id !== undefined && !sameId(pool.liquidityPoolId, id))) continue;
    const [was, is] = [amountsOf(former), amountsOf(latter)];
    return {
      pool,
      reserveA: is.reserveA - was.reserveA,
      reserveB: is.reserveB - was.reserveB,
      shares: is.shares - was.shares,
    };
  }
  return undefined;
}

function amountsOf(pool: xdr.LiquidityPoolEntry | undefined): Omit<PoolDelta, 'pool'> {
  const body = pool?.body.constantProduct;
  return {
    reserveA: body?.reserveA ?? 0n,
    reserveB: body?.reserveB ?? 0n,
    shares: body?.totalPoolShares ?? 0n,
  };
}

function sameId(a: xdr.PoolId, b: xdr.PoolId): boolean {
  return Buffer.compare(a.value, b.value) === 0;
}

/** The account that pays the reserve of an entry, if not its owner. */
export function sponsorOf(entry: xdr.LedgerEntry | undefined): xdr.PublicKey | undefined {
  if (entry === undefined || entry.ext.type === 'v0') return undefined;
  return entry.ext.v1.sponsoringId ?? undefined;
}

/** Sponsors of an account's signers, by signer. */
export function sponsorBySigner(entry: xdr.LedgerEntry | undefined): Map<string, xdr.PublicKey> {
  const sponsors = new Map<string, xdr.PublicKey>();
  const account = dataOf(entry, 'account')?.account;
  if (account === undefined) return sponsors;
  const ids = signerSponsors(account);
  for (const [at, { key }] of account.signers.entries()) {
    const sponsor = ids[at];
    if (sponsor) sponsors.set(signerText(key), sponsor);
  }
  return sponsors;
}

/** The account that sponsors the signer or entry that an operation created. */
export function sponsorOfOperation({ body, deltas }: HistoryOperation): xdr.PublicKey | undefined {
  const signer = body.type === 'setOptions' ? body.setOptionsOp.signer : null;
  const signerKey = signer === null ? undefined : signerText(signer.key);
  for (const { type, before, after } of deltas) {
    if (signerKey !== undefined && type === 'account') {
      const sponsor = sponsorBySigner(after).get(signerKey);
      const former = sponsorBySigner(before).get(signerKey);
      if (sponsor !== undefined && !(former && sameKey(former, sponsor))) return sponsor;
    }
    if (before !== undefined || after === undefined) continue;
    const sponsor = sponsorOf(after);
    if (sponsor !== undefined) return sponsor;
  }
  return undefined;
}

function sameKey(a: xdr.PublicKey, b: xdr.PublicKey): boolean {
  return Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
}
