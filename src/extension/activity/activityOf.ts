import { formatDecimalAmount, parseAtomicAmount, USDC_CONTRACT } from '../../protocol/index.ts';
import type { ServiceEntry } from './serviceLine.ts';

/** An event of a payment for an endpoint. */
export interface Activity {
  readonly kind: 'challenge' | 'verified' | 'settled' | 'refused';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The endpoint without its query, as the payment names it. */
  readonly url: string;
  /** `0.01 USDC`; empty if unknown. */
  readonly price: string;
  /** Account that pays; empty if unknown. */
  readonly payer: string;
  /** Hash of the transaction; empty before there is one. */
  readonly hash: string;
  /** Code and detail of a refusal; empty otherwise. */
  readonly reason: string;
}

const KINDS: Readonly<Record<string, Activity['kind']>> = {
  verified: 'verified',
  'payment refused': 'refused',
  settled: 'settled',
  'not settled': 'refused',
};

/** Reads a payment event from a line of the service's log; `undefined` for other lines. */
export function activityOf(entry: ServiceEntry): Activity | undefined {
  const { msg = '', time } = entry;
  const kind = Object.hasOwn(KINDS, msg) ? KINDS[msg] : undefined;
  const url = textOf(entry['resource']);
  if (kind === undefined || time === undefined || url === '') return undefined;
  return {
    kind,
    at: time,
    url,
    price: priceOf(textOf(entry['amount']), textOf(entry['asset'])),
    payer: textOf(entry['payer']),
    hash: textOf(entry['hash']),
    reason: [textOf(entry['code']), textOf(entry['detail'])]
      .filter((part) => part !== '')
      .join(': '),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 500) : '';
}

function priceOf(amount: string, asset: string): string {
  const atomic = parseAtomicAmount(amount);
  if (atomic === undefined) return '';
  const unit = asset === USDC_CONTRACT ? 'USDC' : `${asset.slice(0, 6)}…`;
  return `${formatDecimalAmount(atomic)} ${unit}`;
}
