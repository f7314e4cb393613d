import type { xdr } from '@stellar/stellar-sdk';
import type { ClosedTransaction, FoundTransaction } from '../../history/index.ts';
import { accountFields, signerText } from '../format/address.ts';
import { base64Text } from '../format/hex.ts';
import { timeText } from '../format/time.ts';
import { innerEnvelope, preconditionsOf, sourceOf } from '../history/historyTransaction.ts';
import { transactionId } from '../history/position.ts';
import type { Links } from '../http/horizonRequest.ts';

const INT64_MAX = 2n ** 63n - 1n;

/** A transaction in the form of `/transactions/{hash}`. */
export type TransactionResource = ReturnType<typeof transactionResource>;

/**
 * A transaction of a closed ledger.
 * @param hash the requested one: that of the fee bump or of its inner transaction
 */
export function transactionResource(
  links: Links,
  { ledger, transaction }: FoundTransaction,
  hash: string = transaction.hash,
) {
  const { envelope, result, parts, successful } = transaction;
  const { tx, signatures } = innerEnvelope(envelope).value;
  const token = String(transactionId({ ledger, transaction }));
  const self = links.to(`/transactions/${hash}`);
  const source = accountFields('account', sourceOf(envelope));
  const bump = feeBumpFields(transaction, hash);
  return {
    memo: memoText(tx.memo),
    memo_bytes: tx.memo.type === 'memoText' ? base64Text(tx.memo.text.bytes) : undefined,
    _links: {
      self,
      account: links.to(`/accounts/${source.account}`),
      ledger: links.to(`/ledgers/${ledger.sequence}`),
      operations: links.paged(`/transactions/${hash}/operations`),
      effects: links.paged(`/transactions/${hash}/effects`),
      precedes: links.to(`/transactions?order=asc&cursor=${token}`),
      succeeds: links.to(`/transactions?order=desc&cursor=${token}`),
      transaction: self,
    },
    id: hash,
    paging_token: token,
    successful,
    hash,
    ledger: ledger.sequence,
    created_at: timeText(ledger.closeTime),
    source_account: source.account,
    account_muxed: source.account_muxed,
    account_muxed_id: source.account_muxed_id,
    source_account_sequence: String(tx.seqNum),
    fee_account: source.account,
    fee_account_muxed: source.account_muxed,
    fee_account_muxed_id: source.account_muxed_id,
    fee_charged: String(result.feeCharged),
    max_fee: String(tx.fee),
    operation_count: tx.operations.length,
    envelope_xdr: base64Text(parts.envelope),
    result_xdr: base64Text(parts.result),
    result_meta_xdr: base64Text(parts.meta),
    fee_meta_xdr: base64Text(parts.feeChanges),
    memo_type: MEMO_TYPES[tx.memo.type],
    signatures: signatureTexts(signatures),
    preconditions: preconditionFields(envelope),
    ...bump,
  };
}

export function transactionRecord(links: Links, found: FoundTransaction) {
  return {
    token: String(transactionId(found)),
    resource: transactionResource(links, found),
  };
}

function feeBumpFields(bump: ClosedTransaction, hash: string) {
  const { envelope } = bump;
  if (envelope.type !== 'envelopeTypeTxFeeBump') return {};
  const { tx, signatures } = envelope.feeBump;
  const payer = accountFields('fee_account', tx.feeSource);
  const inner = tx.innerTx.v1;
  const innerSignatures = signatureTexts(inner.signatures);
  return {
    fee_account: payer.fee_account,
    fee_account_muxed: payer.fee_account_muxed,
    fee_account_muxed_id: payer.fee_account_muxed_id,
    max_fee: String(tx.fee),
    signatures: hash === bump.hash ? signatureTexts(signatures) : innerSignatures,
    fee_bump_transaction: { hash: bump.hash, signatures: signatureTexts(signatures) },
    inner_transaction: {
      hash: bump.innerHash,
      signatures: innerSignatures,
      max_fee: String(inner.tx.fee),
    },
  };
}

const MEMO_TYPES = {
  memoNone: 'none',
  memoText: 'text',
  memoId: 'id',
  memoHash: 'hash',
  memoReturn: 'return',
} as const satisfies Record<xdr.Memo['type'], string>;

function memoText(memo: xdr.Memo): string | undefined {
  switch (memo.type) {
    case 'memoNone':
      return undefined;
    case 'memoText':
      return memo.text.toString().replaceAll('\0', '');
    case 'memoId':
      return String(memo.id);
    case 'memoHash':
      return base64Text(memo.hash.value);
    case 'memoReturn':
      return base64Text(memo.retHash.value);
  }
}

function preconditionFields(envelope: xdr.TransactionEnvelope) {
  const { timeBounds, v2 } = preconditionsOf(envelope);
  if (timeBounds === null && v2 === null) return undefined;
  return {
    timebounds: timeBounds === null ? undefined : timeBoundFields(timeBounds),
    ledgerbounds: v2?.ledgerBounds ? ledgerBoundFields(v2.ledgerBounds) : undefined,
    min_account_sequence: v2?.minSeqNum == null ? undefined : String(v2.minSeqNum),
    min_account_sequence_age: v2?.minSeqAge ? String(v2.minSeqAge) : undefined,
    min_account_sequence_ledger_gap: v2?.minSeqLedgerGap || undefined,
    extra_signers: v2?.extraSigners.length ? v2.extraSigners.map(signerText) : undefined,
  };
}

/** A missing upper bound is omitted; times beyond 63 bits are written as the largest 63-bit value. */
function timeBoundFields({ minTime, maxTime }: xdr.TimeBounds) {
  const latest = maxTime > INT64_MAX ? INT64_MAX : maxTime;
  return { min_time: String(minTime), max_time: maxTime === 0n ? undefined : String(latest) };
}

function ledgerBoundFields({ minLedger, maxLedger }: xdr.LedgerBounds) {
  return { min_ledger: minLedger, max_ledger: maxLedger || undefined };
}

function signatureTexts(signatures: readonly xdr.DecoratedSignature[]): string[] {
  return signatures.map(({ signature }) => base64Text(signature.value));
}
