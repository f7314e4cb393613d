import { accountKey } from '../../protocol/stellar/index.ts';
import type { Clock } from '../clock.ts';
import type { StellarNetwork } from '../network/index.ts';

import type { Signer } from './signer.ts';

/** A balance older than this is read again in the background of the settlement that notices it. */
const STALE_MS = 5_000;
/** A balance older than this is not relied on: the settlement waits for a new one. */
const TOO_OLD_MS = 30_000;

/** The highest possible fee of one settlement, reserved until its actual charge is known. */
export interface FeeReservation {
  /** Releases the reservation. @param feeCharged stroops actually paid; 0 if never submitted */
  close(feeCharged: bigint): void;
}

export interface Sponsor {
  readonly signer: Signer;
  /**
   * Reserves the worst-case fee; `undefined` if the sponsor would fall below its floor
   * (spec: Settlement path, 1). Rejects with RpcError if the balance cannot be read.
   */
  reserve(worstFee: bigint): Promise<FeeReservation | undefined>;
  /**
   * Reads the balance now, with a question that also asks for other accounts; `undefined` leaves it unchanged. Rejects with
   * RpcError.
   */
  refreshFrom(askBalance: () => Promise<bigint | undefined>): Promise<void>;
  /** Whether it could pay the worst-case fee of one more settlement; true before the first reading. */
  canReserve(worstFee: bigint): boolean;
  /** Last known balance, less charges since then; `undefined` before the first reading. */
  readonly balance: bigint | undefined;
  /** Sum of the open reservations. */
  readonly reserved: bigint;
}

/**
 * Guards the account that pays the network fees. The balance is read from the ledger periodically and
 * counted down in between, so that a settlement does not wait for a reading. The count never exceeds the
 * actual balance, because charges are subtracted again after each reading.
 */
export function createSponsor(options: {
  readonly signer: Signer;
  readonly floor: bigint;
  readonly network: StellarNetwork;
  readonly clock: Clock;
  /** The balance on the ledger at the start. It is shown, but the first settlement reads it again. */
  readonly balance?: bigint | undefined;
  /** Sum of the reservations of other instances, as last known. */
  readonly reservedElsewhere?: () => bigint;
}): Sponsor {
  const { signer, floor, network, clock, reservedElsewhere = () => 0n } = options;
  let { balance } = options;
  let readAt = Number.NEGATIVE_INFINITY;
  let reserved = 0n;
  /** Readings in flight, each with the charges since it was asked for. */
  const asked = new Set<{ charged: bigint }>();
  let reading: Promise<void> | undefined;

  async function askAlone(): Promise<bigint> {
    const { entries } = await network.getLedgerEntries([accountKey(signer)]);
    const [entry] = entries;
    return entry?.type === 'account' ? entry.account.balance : 0n;
  }

  async function readWith(ask: () => Promise<bigint | undefined>): Promise<void> {
    const askedAt = clock.elapsed();
    const since = { charged: 0n };
    asked.add(since);
    try {
      const held = await ask();
      // A later question may have been answered before this one.
      if (held === undefined || askedAt < readAt) return;
      // A reading may or may not include charges made while it was in flight: assume that it does not.
      balance = held - since.charged;
      readAt = askedAt;
    } finally {
      asked.delete(since);
    }
  }

  function refresh(): Promise<void> {
    reading ??= readWith(askAlone).finally(() => {
      reading = undefined;
    });
    return reading;
  }

  const left = (): bigint => (balance ?? 0n) - reserved - reservedElsewhere();

  return {
    signer,
    refreshFrom: readWith,
    canReserve: (worstFee) => balance === undefined || left() - worstFee >= floor,
    get balance() {
      return balance;
    },
    get reserved() {
      return reserved;
    },
    async reserve(worstFee) {
      const age = clock.elapsed() - readAt;
      if (age > TOO_OLD_MS) await refresh();
      // The last reading is still used; if this one fails, a later settlement waits for one.
      else if (age > STALE_MS) refresh().catch(() => undefined);
      const affordable = (): boolean => left() - worstFee >= floor;
      if (!affordable() && clock.elapsed() > readAt) await refresh();
      if (!affordable()) return undefined;

      reserved += worstFee;
      let open = true;
      return {
        close(feeCharged) {
          if (!open) return;
          open = false;
          reserved -= worstFee;
          balance = (balance ?? 0n) - feeCharged;
          for (const since of asked) since.charged += feeCharged;
        },
      };
    },
  };
}
