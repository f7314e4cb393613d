import type { LedgerEntries } from '../network/index.ts';

/** An account's sequence numbers begin at the ledger that created it, in the upper 32 bits. */
const LEDGER_BITS = 32n;

/** Channel accounts that the sponsor cannot have created. */
export interface ForeignChannels {
  readonly count: number;
  /** Ledger that created the first of them. */
  readonly createdIn: bigint;
  /** Ledger that created the sponsor. */
  readonly sponsorCreatedIn: bigint;
}

type Entry = LedgerEntries['entries'][number];

function ledgerOf(entry: Entry): bigint | undefined {
  return entry?.type === 'account' ? entry.account.seqNum >> LEDGER_BITS : undefined;
}

/**
 * Returns the channel accounts that existed before the sponsor, so that another account created them: an earlier sponsor of the
 * same operator, or somebody who derived the same accounts from the same seed. Channels that another sponsor created later are not
 * recognized, since an account does not name its creator.
 */
export function foreignChannels(
  sponsor: Entry,
  channels: readonly Entry[],
): ForeignChannels | undefined {
  const sponsorCreatedIn = ledgerOf(sponsor);
  if (sponsorCreatedIn === undefined) return undefined;
  const older = channels
    .map(ledgerOf)
    .filter((ledger) => ledger !== undefined && ledger < sponsorCreatedIn);
  const [createdIn] = older
    .filter((ledger) => ledger !== undefined)
    .sort((one, other) => (one < other ? -1 : 1));
  if (createdIn === undefined) return undefined;
  return { count: older.length, createdIn, sponsorCreatedIn };
}

/** Describes them in one sentence for the operator. */
export function describeForeign({ count, createdIn, sponsorCreatedIn }: ForeignChannels): string {
  const accounts = count === 1 ? '1 channel account was' : `${count} channel accounts were`;
  return (
    `${accounts} created by another account than this sponsor, in ledger ${createdIn} or later, ` +
    `before the sponsor (ledger ${sponsorCreatedIn}). If you have not changed your sponsor, somebody else uses the same ` +
    'CHANNEL_SEED: make one with `openssl rand -hex 32` and create new channels.'
  );
}
