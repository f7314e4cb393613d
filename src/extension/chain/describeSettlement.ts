import { formatDecimalAmount } from '../../protocol/index.ts';
import type { DecodedEvent, DecodedTransaction } from '../ledgerReads/index.ts';
import type { FacilitatorRecord } from './readFacilitatorRecord.ts';
import type { ChainTransaction } from './readTransaction.ts';

/**
 * A settlement as a readable document: what moved, who authorized it, who paid the fee, and its events.
 * @param events `undefined` when Horizon does not return them
 * @param record from the facilitator that settled it, if any
 */
export function describeSettlement(
  transaction: ChainTransaction,
  decoded: DecodedTransaction,
  events: readonly DecodedEvent[] | undefined,
  explorer: string | undefined,
  record?: FacilitatorRecord | undefined,
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
      : ['The transaction is not a transfer of one token.']),
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
    ...describeRecord(record),
    '## Events',
    '',
    ...describeEvents(events),
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

function describeRecord(record: FacilitatorRecord | undefined): readonly string[] {
  if (record === undefined) return [];
  const { state, moneyMoved, presentedAt, updatedAt, url } = record;
  return [
    '## What the facilitator recorded',
    '',
    `- State: ${state}, money moved: ${moneyMoved}`,
    `- Presented: ${presentedAt}, last change: ${updatedAt}`,
    `- Record: <${url}>`,
    '',
  ];
}

/** The native fee and the token's transfer come as events alike; amounts are in atomic units. */
function describeEvents(events: readonly DecodedEvent[] | undefined): readonly string[] {
  if (events === undefined) return ['This Horizon does not report events.'];
  if (events.length === 0) return ['None.'];
  return events.flatMap(({ contract, topics: [name, ...about], data }, index) => [
    `${index + 1}. **${name ?? 'unnamed'}** of \`${contract ?? 'no contract'}\``,
    ...about.map((topic) => `   - \`${topic}\``),
    `   - \`${data}\``,
  ]);
}
