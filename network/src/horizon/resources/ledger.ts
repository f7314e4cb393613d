import type { ClosedLedger } from '../../history/index.ts';
import { totalOrderId } from '../../history/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { amountText } from '../format/amount.ts';
import { base64Text, hexText } from '../format/hex.ts';
import { timeText } from '../format/time.ts';
import { operationCount } from '../history/historyTransaction.ts';
import type { Links } from '../http/horizonRequest.ts';

/** A ledger in the form of `/ledgers/{sequence}`. */
export type LedgerResource = ReturnType<typeof ledgerResource>;

/** A closed ledger. */
export function ledgerResource(links: Links, ledger: ClosedLedger) {
  const { header, sequence, hash } = ledger;
  const counts = { successful: 0, failed: 0, operations: 0, all: 0 };
  for (const { envelope, successful } of ledger.transactions) {
    const operations = operationCount(envelope);
    counts.all += operations;
    if (successful) {
      counts.successful += 1;
      counts.operations += operations;
    } else {
      counts.failed += 1;
    }
  }
  const self = `/ledgers/${sequence}`;
  return {
    _links: {
      self: links.to(self),
      ...links.history(self),
    },
    id: hash,
    paging_token: ledgerToken(sequence),
    hash,
    prev_hash: hexText(header.previousLedgerHash.value),
    sequence,
    successful_transaction_count: counts.successful,
    failed_transaction_count: counts.failed,
    operation_count: counts.operations,
    tx_set_operation_count: counts.all,
    closed_at: timeText(ledger.closeTime),
    total_coins: amountText(header.totalCoins),
    fee_pool: amountText(header.feePool),
    base_fee_in_stroops: header.baseFee,
    base_reserve_in_stroops: header.baseReserve,
    max_tx_set_size: header.maxTxSetSize,
    protocol_version: header.ledgerVersion,
    header_xdr: base64Text(encodeXdr(header)),
  };
}

export function ledgerRecord(links: Links, ledger: ClosedLedger) {
  return { token: ledgerToken(ledger.sequence), resource: ledgerResource(links, ledger) };
}

function ledgerToken(sequence: number): string {
  return String(totalOrderId({ ledger: sequence, transaction: 0, operation: 0 }));
}
