import { assetName, type ContractAddress, formatDecimalAmount } from '../../protocol/index.ts';
import { type PolicySummary, partSeconds } from '../../protocol/policies/index.ts';

/** The limits of a policy that is not attached yet, or its current limits on the ledger. */
export interface SummarizedLimit {
  /** `null`: XLM itself. */
  readonly asset: ContractAddress | null;
  /** Atomic units of the asset, and the asset's decimal places. */
  readonly amount: bigint;
  readonly decimals: number;
  /** Seconds. */
  readonly window: bigint;
  readonly sliding: boolean;
  readonly maxPayments: number | null;
  readonly perPayment: bigint | null;
  readonly recipients: readonly string[] | null;
}

export const NAMED =
  'It has no effect until it is attached, and none on a key whose grants for the called contract do not name it.';
export const OWNERS = 'It does not limit the account’s owners.';

/** Summarizes what a spending limit will and will not prevent. */
export function summaryOfLimit(limit: SummarizedLimit): PolicySummary {
  const { asset, amount, decimals, window, sliding, maxPayments, perPayment, recipients } = limit;
  const name = asset === null ? 'XLM' : assetName(asset);
  const cap = `${formatDecimalAmount(amount, decimals)} ${name === asset ? `of ${asset}` : name}`;
  const twice = `${formatDecimalAmount(2n * amount, decimals)} ${name === asset ? 'of it' : name}`;
  const span = sliding ? `any ${spanOf(window)}` : spanOf(window);
  const within = sliding ? span : 'one window';
  const many = maxPayments === null ? '' : `, in at most ${countOf(maxPayments)}`;
  return {
    title: `At most ${cap} in ${span}${many}`,
    prevents: [
      ...(perPayment === null
        ? []
        : [`Paying more than ${formatDecimalAmount(perPayment, decimals)} of it in one payment.`]),
      ...(recipients === null ? [] : [`Paying anyone except ${recipients.join(', ')}.`]),
      `Spending more than ${cap} within ${within}, by transfer or under upto.`,
      ...(maxPayments === null
        ? []
        : [`Making more than ${countOf(maxPayments)} within ${within}.`]),
      'Allowances, burning, and any other function of the asset’s contract.',
    ],
    doesNotPrevent: [
      ...(recipients === null ? ['Payments to any recipient.'] : []),
      'Spending other assets.',
      OWNERS,
    ],
    warnings: [
      sliding
        ? `The window slides in twelve parts: each payment counts for ${spanOf(window)}, and up to ${spanOf(partSeconds(window))} longer.`
        : `The window is fixed and does not slide, so up to ${twice} can be spent in a short time around its end. It is a guardrail, not a hard cap.`,
      ...(maxPayments === null
        ? []
        : ['A settlement under upto counts as one payment, whatever its amount.']),
      'An owner of the account can change its limits.',
      NAMED,
    ],
  };
}

function countOf(payments: number): string {
  return payments === 1 ? '1 payment' : `${payments} payments`;
}

const SPANS: readonly (readonly [unit: string, seconds: bigint])[] = [
  ['hour', 3_600n],
  ['minute', 60n],
  ['second', 1n],
];

/** Formats a duration: in days if it is more than one, otherwise in the largest unit that gives a whole number. */
function spanOf(seconds: bigint): string {
  if (seconds > 86_400n && seconds % 86_400n === 0n) return `${seconds / 86_400n} days`;
  const [unit, length] = SPANS.find(([, one]) => seconds % one === 0n) ?? ['second', 1n];
  const count = seconds / length;
  return `${count} ${unit}${count === 1n ? '' : 's'}`;
}
