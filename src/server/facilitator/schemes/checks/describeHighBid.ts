/** A settlement's bid above the ceiling. */
interface HighBid {
  /** Stroops. */
  readonly bid: bigint;
  readonly ceiling: bigint;
  /** Entries that the settlement would have to restore first. */
  readonly archived: number;
}

/** Describes the bid. Restoring a contract's module costs more than any payment. */
export function describeHighBid({ bid, ceiling, archived }: HighBid): string {
  const why =
    archived > 0
      ? `, including the restoration of archived ledger entries (${archived}): a policy's gateway restores the policy's entries`
      : '';
  return `${bid} bid, ceiling ${ceiling} stroops${why}`;
}
