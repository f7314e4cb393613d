import * as xdr from '@stellar/stellar-sdk/xdr';
import { readI128, readScAddress } from '../stellar/index.ts';

/** Number of parts in a sliding window (contracts/spending-limit). */
export const WINDOW_PARTS = 12n;

/** The limits of a spending-limit contract and what it has counted. Amounts are in atomic units, times in seconds. */
export interface SpendingLimitState extends WindowTerms {
  /** The account whose payments count (`C…`). */
  readonly wallet: string;
  readonly token: string;
  /** The settlement contract of `upto` that may release unused amounts. */
  readonly upto: string | undefined;
  readonly limit: bigint;
  /** Maximum of one payment; `undefined` if only the remaining limit applies. */
  readonly perPayment: bigint | undefined;
  /** Recipients that may be paid; `undefined` for any. */
  readonly recipients: readonly string[] | undefined;
  /** How often the limits have changed; `undefined` if the contract's module cannot change them. */
  readonly revision: number | undefined;
  readonly counted: CountedWindow;
}

/** How a window counts. */
export interface WindowTerms {
  /** Seconds of the window. */
  readonly window: bigint;
  /** Whether it slides instead of starting with its first payment. */
  readonly sliding: boolean;
  /** Maximum number of payments in a window; `undefined` for any number. */
  readonly maxPayments: number | undefined;
}

/** What a contract has counted, as stored, including amounts that have since left the window. */
export interface CountedWindow {
  /** For a fixed window, its start in seconds; for a sliding one, the number of its newest part. */
  readonly start: bigint;
  /** Newest first; a fixed window has only one. */
  readonly parts: readonly CountedPart[];
}

export interface CountedPart {
  readonly spent: bigint;
  /** 0 for modules that do not count payments. */
  readonly payments: number;
}

/** What counts at a given moment. */
export interface CountedNow extends CountedPart {
  /** When more becomes available, in seconds: the whole limit, or for a sliding window the oldest amount spent. */
  readonly resetsAt: bigint | undefined;
}

/** Returns what still counts, by the contract's own rule (contracts/spending-limit/src/counter.rs). @param now seconds */
export function countedAt(
  { window, sliding, maxPayments }: WindowTerms,
  { start, parts }: CountedWindow,
  now: bigint,
): CountedNow {
  const width = sliding ? partSeconds(window) : window;
  const leaves = (index: number) =>
    sliding ? (start - BigInt(index) + WINDOW_PARTS + 1n) * width : start + window;
  const kept = parts
    .map((part, index) => ({ ...part, leaves: leaves(index) }))
    .filter((part) => part.leaves > now);
  // A payment that moved nothing counts only where payments are limited.
  const oldest = kept.findLast(
    ({ spent, payments }) => spent > 0n || (maxPayments !== undefined && payments > 0),
  );
  return {
    spent: kept.reduce((sum, { spent }) => sum + spent, 0n),
    payments: kept.reduce((sum, { payments }) => sum + payments, 0),
    resetsAt: oldest?.leaves,
  };
}

/**
 * Returns the length of one part of a sliding window in seconds. A payment counts for the window's length plus at most one
 * part.
 */
export function partSeconds(window: bigint): bigint {
  return (window + WINDOW_PARTS - 1n) / WINDOW_PARTS;
}

/**
 * Reads the instance storage of a spending-limit contract of this version or an earlier one. Version 0.3.0 stores a map
 * `window` and a map `config` without `per_payment` and `recipients`; in later builds `config` has both. This version's module
 * stores a vector `limit`: addresses, and all numbers as bytes (contracts/README.md).
 * @returns `undefined` if the storage has none of these forms
 */
export function readSpendingLimit(
  storage: ReadonlyMap<string, xdr.ScVal>,
): SpendingLimitState | undefined {
  const limit = storage.get('limit');
  if (limit !== undefined) return readPacked(limit);
  const config = storage.get('config');
  return config?.type === 'scvMap'
    ? readEarlier(mapOf(config.map ?? []), storage.get('window'))
    : undefined;
}

function readEarlier(
  values: ReadonlyMap<string, xdr.ScVal>,
  window: xdr.ScVal | undefined,
): SpendingLimitState | undefined {
  const parties = readParties(
    values.get('wallet'),
    values.get('token'),
    values.get('upto'),
    values.get('recipients') ?? xdr.ScVal.scvVoid(),
  );
  const [limit, length, most] = [
    values.get('limit'),
    values.get('window'),
    given(values.get('per_payment')),
  ];
  const [amount, perPayment] = [limit && readI128(limit), most && readI128(most)];
  const counted = readEarlierWindow(window);
  if (parties === undefined || amount === undefined || counted === undefined) return undefined;
  if (length?.type !== 'scvU64' || (most !== undefined && perPayment === undefined)) {
    return undefined;
  }
  return {
    ...parties,
    ...{ limit: amount, window: BigInt(length.u64), perPayment, counted },
    ...{ sliding: false, maxPayments: undefined, revision: undefined },
  };
}

function readEarlierWindow(window: xdr.ScVal | undefined): CountedWindow | undefined {
  // Version 0.3.0 stores no window before the first payment.
  if (window === undefined) return { start: 0n, parts: [] };
  if (window.type !== 'scvMap') return undefined;
  const stored = mapOf(window.map ?? []);
  const [start, spent] = [stored.get('start'), stored.get('spent')];
  const amount = spent && readI128(spent);
  if (start?.type !== 'scvU64' || amount === undefined) return undefined;
  return { start: BigInt(start.u64), parts: [{ spent: amount, payments: 0 }] };
}

// Offsets of the numbers (contracts/spending-limit/src/counter.rs), which are little-endian.
const LIMIT = 0;
const PER_PAYMENT = 16;
const WINDOW = 32;
const PAYMENTS = 40;
const REVISION = 44;
const SLIDING = 48;
const START = 52;
const PARTS = 60;
const PART_WIDTH = 20;
const COUNT = 16;

function readPacked(value: xdr.ScVal): SpendingLimitState | undefined {
  if (value.type !== 'scvVec') return undefined;
  const [wallet, token, upto, recipients, numbers, more] = value.vec ?? [];
  if (numbers?.type !== 'scvBytes' || more !== undefined) return undefined;
  const parties = readParties(wallet, token, upto, recipients);
  const bytes = Uint8Array.from(numbers.bytes.value);
  if (parties === undefined || bytes.length < PARTS) return undefined;
  const view = new DataView(bytes.buffer);
  const amountAt = (at: number) =>
    (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
  const sliding = view.getUint32(SLIDING, true) !== 0;
  const slots = sliding ? Number(WINDOW_PARTS) + 1 : 1;
  if (bytes.length !== PARTS + slots * PART_WIDTH) return undefined;
  // A limit is never zero, so zero means that it is absent.
  return {
    ...parties,
    limit: amountAt(LIMIT),
    window: view.getBigUint64(WINDOW, true),
    perPayment: amountAt(PER_PAYMENT) || undefined,
    maxPayments: view.getUint32(PAYMENTS, true) || undefined,
    sliding,
    revision: view.getUint32(REVISION, true),
    counted: {
      start: view.getBigUint64(START, true),
      parts: Array.from({ length: slots }, (_, slot) => {
        const at = PARTS + slot * PART_WIDTH;
        return { spent: amountAt(at), payments: view.getUint32(at + COUNT, true) };
      }),
    },
  };
}

type Parties = Pick<SpendingLimitState, 'wallet' | 'token' | 'upto' | 'recipients'>;

function readParties(
  wallet: xdr.ScVal | undefined,
  token: xdr.ScVal | undefined,
  upto: xdr.ScVal | undefined,
  list: xdr.ScVal | undefined,
): Parties | undefined {
  const [account, asset] = [addressOf(wallet), addressOf(token)];
  if (account === undefined || asset === undefined) return undefined;
  if (upto === undefined || list === undefined) return undefined;
  const [settlement, some] = [given(upto), given(list)];
  const named = addressOf(settlement);
  const recipients = some && addressesOf(some);
  if (settlement !== undefined && named === undefined) return undefined;
  if (some !== undefined && recipients === undefined) return undefined;
  return { wallet: account, token: asset, upto: named, recipients };
}

function mapOf(entries: readonly xdr.ScMapEntry[]): ReadonlyMap<string, xdr.ScVal> {
  const named = entries.flatMap(({ key, val }) =>
    key.type === 'scvSymbol' ? [[key.sym.toString(), val] as const] : [],
  );
  return new Map(named);
}

function given(value: xdr.ScVal | undefined): xdr.ScVal | undefined {
  return value?.type === 'scvVoid' ? undefined : value;
}

function addressOf(value: xdr.ScVal | undefined): string | undefined {
  return value?.type === 'scvAddress' ? readScAddress(value.address) : undefined;
}

function addressesOf(value: xdr.ScVal): readonly string[] | undefined {
  if (value.type !== 'scvVec') return undefined;
  const addresses = (value.vec ?? []).flatMap((one) => addressOf(one) ?? []);
  return addresses.length === value.vec?.length ? addresses : undefined;
}
