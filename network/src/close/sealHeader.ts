import { xdr } from '@stellar/stellar-sdk';
import { hashXdr } from '../xdr/index.ts';

const SKIP_1 = 50;
const SKIP_2 = 5_000;
const SKIP_3 = 50_000;
const SKIP_4 = 500_000;

/** The complete header of a ledger, and its hash. */
export interface SealedHeader {
  readonly header: xdr.LedgerHeader;
  readonly hash: Buffer;
}

/**
 * Completes the header of a ledger with the hash of the resulting state. Every fiftieth
 * ledger also keeps that hash in its skip list (stellar-core `BucketManager::calculateSkipValues`).
 */
export function sealHeader(open: xdr.LedgerHeader, stateHash: Uint8Array): SealedHeader {
  const header = new xdr.LedgerHeader({
    ...open,
    bucketListHash: stateHash,
    skipList: skipList(open, new xdr.Hash(stateHash)),
  });
  return { header, hash: headerHash(header) };
}

const hashes = new WeakMap<xdr.LedgerHeader, Buffer>();

/** SHA-256 of a header's XDR: the ledger's hash. Cached, because the next ledger refers to it several times. */
export function headerHash(header: xdr.LedgerHeader): Buffer {
  let hash = hashes.get(header);
  if (hash === undefined) {
    hash = hashXdr(header);
    hashes.set(header, hash);
  }
  return hash;
}

function skipList({ ledgerSeq, skipList }: xdr.LedgerHeader, stateHash: xdr.Hash): xdr.Hash[] {
  const list = [...skipList];
  if (ledgerSeq % SKIP_1 !== 0) return list;
  const move = (from: number, to: number): void => {
    const hash = list[from];
    if (hash !== undefined) list[to] = hash;
  };
  const second = ledgerSeq - SKIP_1;
  if (isStep(second, SKIP_2)) {
    const third = second - SKIP_2;
    if (isStep(third, SKIP_3)) {
      if (isStep(third - SKIP_3, SKIP_4)) move(2, 3);
      move(1, 2);
    }
    move(0, 1);
  }
  list[0] = stateHash;
  return list;
}

function isStep(ledgerSeq: number, step: number): boolean {
  return ledgerSeq > 0 && ledgerSeq % step === 0;
}
