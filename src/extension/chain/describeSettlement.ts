import { assetName, formatDecimalAmount } from '../../protocol/index.ts';
import type { DecodedEvent, DecodedTransaction } from '../ledgerReads/index.ts';
import type { Report, ReportItem, ReportSection } from '../report/index.ts';
import { t } from '../words/index.ts';
import type { FacilitatorRecord } from './readFacilitatorRecord.ts';
import type { ChainTransaction } from './readTransaction.ts';

/**
 * A settlement as a readable page: what moved, who authorized it, who paid the fee, and its events. The raw transaction and
 * record are shown on request.
 * @param events `undefined` when Horizon does not return them
 * @param record from the facilitator that settled it, if any
 */
export function describeSettlement(
  transaction: ChainTransaction,
  decoded: DecodedTransaction,
  events: readonly DecodedEvent[] | undefined,
  explorer: string | undefined,
  record?: FacilitatorRecord | undefined,
): Report {
  const { transfer, authorizations, feeSource } = decoded;
  const { hash } = transaction;
  const fact = (label: string, value: string, link?: string): ReportItem =>
    link === undefined ? { label, value } : { label, value, link };
  return {
    title: t('Settlement {0}…', hash.slice(0, 8)),
    ...verdictOf(transaction, record),
    sections: [
      {
        title: t('What moved'),
        items: transfer
          ? [
              fact(t('Amount'), priceOf(transfer.amount, transfer.asset)),
              fact(t('From'), transfer.from),
              fact(t('To'), transfer.to),
              fact(t('Asset contract'), transfer.asset),
            ]
          : [],
        ...(transfer ? {} : { note: t('The transaction is not a single token transfer.') }),
      },
      {
        title: t('Location on the ledger'),
        items: [
          fact(t('Transaction hash'), hash, explorer),
          fact(t('Ledger'), `${transaction.ledger}, ${transaction.created_at}`),
        ],
      },
      ...recordSection(record),
      {
        title: t('Who authorized it'),
        items: authorizations.map(({ address, nonce, expirationLedger }) =>
          fact(address ?? t('unknown'), t('nonce {0}, until ledger {1}', nonce, expirationLedger)),
        ),
      },
      {
        title: t('Who paid the network fee'),
        items: [
          fact(t('Fee account'), feeSource ?? transaction.fee_account),
          fact(t('Fee'), `${formatDecimalAmount(BigInt(transaction.fee_charged))} XLM`),
          fact(t('Source (a channel account of the facilitator)'), transaction.source_account),
        ],
      },
      eventsSection(events, transfer?.asset),
      { title: t('Transaction'), items: [], raw: decoded.json },
    ],
  };
}

function priceOf(amount: bigint, contract: string): string {
  const name = assetName(contract);
  return `${formatDecimalAmount(amount)} ${name === contract ? `${contract.slice(0, 6)}…` : name}`;
}

/** The outcome in a sentence: from the facilitator's record, or else from the ledger. */
function verdictOf(
  { successful }: ChainTransaction,
  record: FacilitatorRecord | undefined,
): Pick<Report, 'verdict' | 'good'> {
  const ledger = successful
    ? t('According to the ledger, it succeeded.')
    : t('According to the ledger, it failed and moved no money.');
  if (record === undefined) {
    return {
      verdict: `${ledger} ${t('The current facilitator has no record of it.')}`,
      good: successful,
    };
  }
  const moved = {
    yes: t('Money moved.'),
    no: t('No money moved.'),
    not_yet: t('Nothing was paid so far, but the authorization can still pay.'),
    fees: t('No payment was made; network fees were spent.'),
    unknown: t("It isn't known yet whether money moved."),
  };
  const known = Object.entries(moved).find(([answer]) => answer === record.moneyMoved)?.[1];
  return {
    verdict: `${known ?? moved.unknown} ${ledger}`,
    good: successful && record.moneyMoved === 'yes',
  };
}

/** The response of the facilitator's endpoint that reports a payment's outcome. */
function recordSection(record: FacilitatorRecord | undefined): readonly ReportSection[] {
  if (record === undefined) return [];
  const { state, moneyMoved, presentedAt, updatedAt, url } = record;
  return [
    {
      title: t('What the facilitator recorded'),
      items: [
        { label: t('State'), value: t('{0}, money moved: {1}', state, moneyMoved) },
        { label: t('Presented'), value: t('{0}, last change: {1}', presentedAt, updatedAt) },
        { label: t('Record'), value: url, link: url },
      ],
      raw: JSON.stringify(record, undefined, 2),
    },
  ];
}

/** Both the native fee and the token transfer appear as events. */
function eventsSection(
  events: readonly DecodedEvent[] | undefined,
  asset: string | undefined,
): ReportSection {
  const title = t('Events');
  if (events === undefined) {
    return { title, items: [], note: t('This Horizon does not report events.') };
  }
  return {
    title,
    items: events.map(({ contract, topics: [name, ...about], data }) => ({
      label: name ?? t('unnamed'),
      value: [...about, amountOf(data, contract, asset)].join(', '),
    })),
    ...(events.length === 0 ? { note: t('None.') } : { raw: JSON.stringify(events, undefined, 2) }),
  };
}

/** Data of an event, formatted as an amount if it is one of the transferred token. */
function amountOf(data: string, contract: string | undefined, asset: string | undefined): string {
  return contract !== undefined && contract === asset && /^\d+$/.test(data)
    ? priceOf(BigInt(data), contract)
    : data;
}
