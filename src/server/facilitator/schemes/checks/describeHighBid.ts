/** A settlement's bid above the ceiling. */
interface HighBid {
  /** Stroops. */
  readonly bid: bigint;
  readonly ceiling: bigint;
  /** Entries that the settlement would have to restore first. */
  readonly archived: number;
}

/** Describes the bid as text. Restoring the module of a contract costs more than any payment. */
export function describeHighBid({ bid, ceiling, archived }: HighBid): string {
  const why =
    archived > 0
      ? `, of it for restoring archived ledger entries (${archived}): a policy's gateway restores what belongs to it`
      : '';
  return `${bid} bid, ceiling ${ceiling} stroops${why}`;
}
