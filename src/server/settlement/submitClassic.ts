import * as xdr from '@stellar/stellar-sdk/xdr';
import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import type { StellarNetwork } from '../network/index.ts';
import { ledgerBounded, signedEnvelope } from './settlementTransaction.ts';
import type { Signer } from './signer.ts';
import { lookUntilDecided, send } from './transactionFate.ts';

/** A transaction of the service's own accounts was not accepted, or failed. */
export class SubmissionError extends Error {
  readonly code = 'submission_failed';
  readonly hash: SettlementHash;

  constructor(hash: SettlementHash, detail: string) {
    super(`the transaction ${hash} did not succeed: ${detail}`);
    this.name = 'SubmissionError';
    this.hash = hash;
  }
}

/** Ledgers within which the transaction is included or never. */
const VALID_LEDGERS = 60;
const PATIENCE_MS = 120_000;

/** Classic operations of one account that the service holds. */
export interface ClassicWork {
  readonly source: Signer;
  readonly sequence: bigint;
  /** Total bid in stroops. */
  readonly fee: number;
  readonly operations: readonly xdr.Operation[];
}

/**
 * Submits classic operations and waits until the ledger has decided.
 * @returns the hash of the transaction, if it succeeded
 * @throws SubmissionError
 */
export async function submitClassic(
  work: ClassicWork,
  network: StellarNetwork,
  clock: Clock,
): Promise<SettlementHash> {
  const lastLedger = (await network.getLatestLedger()) + VALID_LEDGERS;
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(work.source.publicKey),
    fee: work.fee,
    seqNum: work.sequence,
    cond: ledgerBounded(lastLedger),
    memo: xdr.Memo.memoNone(),
    operations: [...work.operations],
    ext: xdr.TransactionExt.v0(),
  });
  const signed = signedEnvelope(tx.toXdr(), work.source);
  const { hash } = signed;
  const sent = await send(signed, network, clock);
  if (sent.status !== 'sent') throw new SubmissionError(hash, sent.detail);
  const deadline = clock.elapsed() + PATIENCE_MS;
  const decision = await lookUntilDecided(
    hash,
    { lastLedger, sentAfter: lastLedger - VALID_LEDGERS },
    deadline,
    network,
    clock,
  );
  if (decision?.status === 'succeeded') return hash;
  const detail = decision?.status === 'failed' ? decision.resultCode : 'no ledger included it';
  throw new SubmissionError(hash, detail);
}
