import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { noFrozenKeys } from '../../src/settings/index.ts';
import {
  accountKeyId,
  entryKeyId,
  LedgerState,
  LedgerTxn,
  trustlineKeyId,
} from '../../src/state/index.ts';
import {
  accountOfMuxed,
  LedgerFault,
  muxedOfAccount,
  newEntry,
  peekAccount,
  trustLineAssetOf,
} from '../../src/transaction/balances/index.ts';
import { CollectedEvents } from '../../src/transaction/events/index.ts';
import { rulesFor, succeeded } from '../../src/transaction/operations/index.ts';
import { hasOpenSponsorship } from '../../src/transaction/sponsorship/index.ts';
import { assertCountersMatchEntries } from './testInvariants.ts';

/** One lumen in stroops. */
export const XLM = 10_000_000n;

/** The base reserve of the test ledger: half a lumen. */
export const RESERVE = XLM / 2n;

const NETWORK_ID = createHash('sha256').update('test network').digest();
const ZERO_HASH = new xdr.Hash(new Uint8Array(32));

/** An operation with its source. */
export type Step = readonly [source: xdr.PublicKey | xdr.MuxedAccount, body: xdr.OperationBody];

export interface Outcome {
  /** Names of the results, without the name of the operation: `success`, `lowReserve`, … */
  readonly results: readonly string[];
  readonly raw: readonly xdr.OperationResult[];
  readonly code: 'txSuccess' | 'txFailed' | 'txBadSponsorship';
  readonly events: readonly xdr.ContractEvent[];
}

/**
 * A small ledger on which operations are applied as in one transaction each, without signatures
 * and fees. After every transaction the counters of all accounts are compared with the entries.
 */
export class TestWorld {
  readonly state: LedgerState;

  constructor(options: { readonly ledgerSeq?: number; readonly closeTime?: bigint } = {}) {
    this.state = new LedgerState(testHeader(options.ledgerSeq ?? 100, options.closeTime ?? 5000n));
  }

  /** Puts an account into the ledger and answers with its id, which depends on the name alone. */
  account(name: string, balance: bigint, change: Partial<xdr.AccountEntry> = {}): xdr.PublicKey {
    const account = accountEntry(name, balance, change);
    this.putEntry(xdr.LedgerEntryData.account(account));
    return account.accountId;
  }

  /** Applies operations as one transaction; throws what they throw. */
  apply(...steps: readonly Step[]): Outcome {
    return this.within(new LedgerTxn(this.state), ...steps);
  }

  /** As `apply`, in a ledger transaction that was prepared by the test. */
  within(ltx: LedgerTxn, ...steps: readonly Step[]): Outcome {
    const events = new CollectedEvents(NETWORK_ID, xdr.Memo.memoNone());
    const raw = steps.map((step, index) => applyStep(ltx, step, index, events));
    const results = raw.map(resultName);
    const isFailed = !raw.every(succeeded);
    const code = isFailed ? 'txFailed' : hasOpenSponsorship(ltx) ? 'txBadSponsorship' : 'txSuccess';
    if (code === 'txSuccess') ltx.commit();
    assertCountersMatchEntries(this.entries());
    return { results, raw, code, events: events.events };
  }

  /** Closes the ledger: what follows happens in the next. */
  nextLedger(): void {
    const { header } = this.state;
    this.state.header = new xdr.LedgerHeader({ ...header, ledgerSeq: header.ledgerSeq + 1 });
  }

  /** The result of one operation applied alone. */
  one(source: Step[0], body: xdr.OperationBody): string {
    return this.apply([source, body]).results[0] ?? 'none';
  }

  /** The changes that one successful operation records, as meta. */
  changesOf(source: Step[0], body: xdr.OperationBody): xdr.LedgerEntryChange[] {
    const ltx = new LedgerTxn(this.state);
    applyStep(ltx, [source, body], 0, new CollectedEvents(NETWORK_ID, xdr.Memo.memoNone()));
    return ltx.changes();
  }

  has(account: xdr.PublicKey): boolean {
    return peekAccount(this.state, account) !== undefined;
  }

  get(account: xdr.PublicKey): xdr.AccountEntry {
    const entry = peekAccount(this.state, account);
    if (entry === undefined) throw new LedgerFault('account_missing');
    return entry;
  }

  entryOfAccount(account: xdr.PublicKey): xdr.LedgerEntry | undefined {
    return this.state.peek(accountKeyId(account));
  }

  line(account: xdr.PublicKey, asset: xdr.Asset): xdr.TrustLineEntry | undefined {
    const entry = this.state.peek(trustlineKeyId(account, trustLineAssetOf(asset)));
    return entry?.data.type === 'trustline' ? entry.data.trustLine : undefined;
  }

  entries(): xdr.LedgerEntry[] {
    return [...this.state.entries()].map(({ xdr: bytes }) => xdr.LedgerEntry.fromXdr(bytes));
  }

  /** Writes an entry past all rules, to reach states that are slow to build. */
  putEntry(data: xdr.LedgerEntryData): void {
    const entry = newEntry(data);
    this.state.put(entryKeyId(entry), entry);
  }
}

/** The account id that belongs to a name. */
export function accountNamed(name: string): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(createHash('sha256').update(name).digest());
}

/** A newly created account with the given changes. */
export function accountEntry(
  name: string,
  balance: bigint,
  change: Partial<xdr.AccountEntry> = {},
): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId: accountNamed(name),
    balance,
    seqNum: 1n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
    ...change,
  });
}

export function credit(code: string, issuer: xdr.PublicKey): xdr.Asset {
  return xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code, issuer }));
}

function applyStep(
  ltx: LedgerTxn,
  [written, body]: Step,
  index: number,
  events: CollectedEvents,
): xdr.OperationResult {
  const muxedSource = xdr.MuxedAccount.is(written) ? written : muxedOfAccount(written);
  const source = accountOfMuxed(muxedSource);
  const rules = rulesFor(body.type);
  if (rules === undefined || rules.isSupported?.(ltx.header) === false) {
    return xdr.OperationResult.opNotSupported();
  }
  if (peekAccount(ltx, source) === undefined) return xdr.OperationResult.opNoAccount();
  const malformed = rules.checkValid(body, source, ltx.header);
  if (malformed !== undefined) return malformed;
  const nested = ltx.child();
  const result = rules.apply({
    ltx: nested,
    body,
    source,
    muxedSource,
    tx: { networkId: NETWORK_ID, sourceAccount: source, seqNum: 1n, memo: xdr.Memo.memoNone() },
    index,
    events,
    frozenKeys: noFrozenKeys,
  });
  if (succeeded(result)) nested.commit();
  return result;
}

/** `changeTrustLowReserve` of the operation `changeTrust` is `lowReserve`. */
function resultName(result: xdr.OperationResult): string {
  if (result.type !== 'opInner') return result.type;
  const { tr } = result;
  const inner: { readonly type: string } = tr.value;
  const name = inner.type.startsWith(tr.type) ? inner.type.slice(tr.type.length) : inner.type;
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function testHeader(ledgerSeq: number, closeTime: bigint): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion: 27,
    previousLedgerHash: ZERO_HASH,
    scpValue: new xdr.StellarValue({
      txSetHash: ZERO_HASH,
      closeTime,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: ZERO_HASH,
    bucketListHash: ZERO_HASH,
    ledgerSeq,
    totalCoins: 10n ** 18n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: Number(RESERVE),
    maxTxSetSize: 100,
    skipList: [ZERO_HASH, ZERO_HASH, ZERO_HASH, ZERO_HASH],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}
