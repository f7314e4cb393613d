import { assetName, formatDecimalAmount } from '../../protocol/index.ts';
import type { DecodedEvent, DecodedTransaction } from '../ledgerReads/index.ts';
import { t } from '../words/index.ts';
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
  const hash = transaction.hash;
  const lines = [
    `# ${t('Settlement {0}…', hash.slice(0, 8))}`,
    '',
    ...describeState(transaction, record),
    '',
    entry(t('Hash'), code(hash)),
    entry(t('Ledger'), `${transaction.ledger}, ${transaction.created_at}`),
    ...(explorer === undefined ? [] : [entry(t('Explorer'), `<${explorer}>`)]),
    '',
    heading(t('What moved')),
    '',
    ...(transfer
      ? [
          entry(
            t('Amount'),
            t('{0} ({1} atomic units)', formatDecimalAmount(transfer.amount), transfer.amount),
          ),
          entry(t('Asset'), assetOf(transfer.asset)),
          entry(t('From'), code(transfer.from)),
          entry(t('To'), code(transfer.to)),
        ]
      : [t('The transaction is not a transfer of one token.')]),
    '',
    heading(t('Who authorized it')),
    '',
    ...authorizations.map(({ address, nonce, expirationLedger }) => {
      const who = code(address ?? t('unknown'));
      return `- ${t('{0}, nonce {1}, until ledger {2}', who, nonce, expirationLedger)}`;
    }),
    '',
    heading(t('Who paid the network fee')),
    '',
    entry(t('Fee account'), code(feeSource ?? transaction.fee_account)),
    entry(t('Fee'), t('{0} stroops', transaction.fee_charged)),
    entry(t('Source (a channel of the facilitator)'), code(transaction.source_account)),
    '',
    ...describeRecord(record),
    heading(t('Events')),
    '',
    ...describeEvents(events),
    '',
    heading(t('Raw transaction')),
    '',
    '```json',
    decoded.json,
    '```',
    '',
  ];
  return lines.join('\n');
}

const heading = (title: string): string => `## ${title}`;
const entry = (label: string, value: string): string => `- ${label}: ${value}`;
const code = (text: string): string => `\`${text}\``;

function assetOf(contract: string): string {
  const name = assetName(contract);
  return name === contract ? code(contract) : `${name} (${code(contract)})`;
}

/** What became of it, in a sentence: as its facilitator records it, else as the ledger shows it. */
function describeState(
  { successful }: ChainTransaction,
  record: FacilitatorRecord | undefined,
): readonly string[] {
  const ledger = successful
    ? t('The ledger shows it: it succeeded.')
    : t('The ledger shows it: it failed, and no money moved.');
  if (record === undefined) {
    return [`**${ledger}** ${t('The facilitator in use has no record of it.')}`];
  }
  const moved = {
    yes: t('Money moved.'),
    no: t('No money moved.'),
    fees: t('No payment was made; network fees were spent.'),
    unknown: t('Whether money moved is not known yet.'),
  };
  const known = Object.entries(moved).find(([answer]) => answer === record.moneyMoved)?.[1];
  return [`**${known ?? moved.unknown}** ${ledger}`];
}

/** The answer of the facilitator's endpoint that says what became of a payment. */
function describeRecord(record: FacilitatorRecord | undefined): readonly string[] {
  if (record === undefined) return [];
  const { state, moneyMoved, presentedAt, updatedAt, url } = record;
  return [
    heading(t('What the facilitator recorded')),
    '',
    entry(t('State'), t('{0}, money moved: {1}', state, moneyMoved)),
    entry(t('Presented'), t('{0}, last change: {1}', presentedAt, updatedAt)),
    entry(t('Record'), `<${url}>`),
    '',
  ];
}

/** The native fee and the token's transfer come as events alike; amounts are in atomic units. */
function describeEvents(events: readonly DecodedEvent[] | undefined): readonly string[] {
  if (events === undefined) return [t('This Horizon does not report events.')];
  if (events.length === 0) return [t('None.')];
  return events.flatMap(({ contract, topics: [name, ...about], data }, index) => {
    const of = contract === undefined ? t('no contract') : code(contract);
    return [
      `${index + 1}. **${name ?? t('unnamed')}** ${of}`,
      ...about.map((topic) => `   - ${code(topic)}`),
      `   - ${code(data)}`,
    ];
  });
}
