/**
 * What the ledger does not record about settlements but this machine knows: which endpoint a test payment was for (spec: Recent
 * Settlements).
 */
export interface PaymentJournal {
  urlOf(hash: string): string | undefined;
  note(hash: string, url: string): Promise<void>;
}

const MOST = 500;

/** @param read and write store the pairs of hash and URL between runs of the editor */
export function openJournal(
  read: () => readonly (readonly [string, string])[],
  write: (pairs: readonly (readonly [string, string])[]) => PromiseLike<void>,
): PaymentJournal {
  const known = new Map(read());
  return {
    urlOf: (hash) => known.get(hash),
    async note(hash, url) {
      known.set(hash, url);
      for (const old of [...known.keys()].slice(0, -MOST)) known.delete(old);
      await write([...known]);
    },
  };
}
