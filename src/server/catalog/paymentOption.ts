import type { PaymentRequirements } from '../../protocol/wire/index.ts';

/** One way to pay for a resource, as in `accepts` (spec: Catalog entry). */
export interface PaymentOption {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  /** Atomic units; under `upto` the ceiling. */
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, string | boolean>>;
}

/** Amounts have at most 39 digits: padded to that length, text order equals numeric order. */
const AMOUNT_DIGITS = 39;

/** Returns a text that sorts like the amount. */
export function amountOrder(amount: bigint | string): string {
  return BigInt(amount).toString().padStart(AMOUNT_DIGITS, '0');
}

/** Returns the parts of `extra` that buyers need: whether fees are sponsored, and the contract of `upto`. */
function listedExtra(extra: Readonly<Record<string, unknown>>) {
  const { areFeesSponsored, uptoContract } = extra as Partial<Record<string, unknown>>;
  return {
    ...(typeof areFeesSponsored === 'boolean' ? { areFeesSponsored } : {}),
    ...(typeof uptoContract === 'string' && uptoContract.length === 56 ? { uptoContract } : {}),
  };
}

/** Returns the option of a settled payment, without values that apply to one call only. */
export function optionOf(accepted: PaymentRequirements): PaymentOption {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = accepted;
  return {
    scheme,
    network,
    asset,
    amount,
    payTo,
    maxTimeoutSeconds,
    extra: listedExtra(extra ?? {}),
  };
}
