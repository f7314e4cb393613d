import { formatDecimalAmount } from '../../protocol/index.ts';
import type { DecodedTransaction } from '../testPayment/decodeTransaction.ts';
import type { ChainTransaction } from './readTransaction.ts';

/** A settlement as a document to read: what moved, who authorized it, and who paid the fee. */
export function describeSettlement(
  transaction: ChainTransaction,
  decoded: DecodedTransaction,
  explorer: string | undefined,
): string {
  const { transfer, authorizations, feeSource } = decoded;
  const lines = [
    `# Settlement ${transaction.hash.slice(0, 8)}…`,
    '',
    `- Hash: \`${transaction.hash}\``,
    `- Ledger: ${transaction.ledger}, ${transaction.created_at}`,
    `- Outcome: ${transaction.successful ? 'succeeded' : 'failed'}`,
    ...(explorer === undefined ? [] : [`- Explorer: <${explorer}>`]),
    '',
    '## What moved',
    '',
    ...(transfer
      ? [
          `- Amount: ${formatDecimalAmount(transfer.amount)} (${transfer.amount} atomic units)`,
          `- Asset: \`${transfer.asset}\``,
          `- From: \`${transfer.from}\``,
          `- To: \`${transfer.to}\``,
        ]
      : ['The transaction is no transfer of one token.']),
    '',
    '## Who authorized it',
    '',
    ...authorizations.map(
      ({ address, nonce, expirationLedger }) =>
        `- \`${address ?? 'unknown'}\`, nonce ${nonce}, until ledger ${expirationLedger}`,
    ),
    '',
    '## Who paid the network fee',
    '',
    `- Fee account: \`${feeSource ?? transaction.fee_account}\``,
    `- Fee: ${transaction.fee_charged} stroops`,
    `- Source (a channel of the facilitator): \`${transaction.source_account}\``,
    '',
    '## The transaction',
    '',
    '```json',
    decoded.json,
    '```',
    '',
  ];
  return lines.join('\n');
}
