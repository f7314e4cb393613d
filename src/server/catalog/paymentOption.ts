import type { PaymentRequirements } from '../../protocol/wire/index.ts';

/** One way to pay for a resource, as `accepts` lists it (spec: Catalog entry). */
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

/** Amounts have at most 39 digits: padded to that, they sort as text as they do as numbers. */
const AMOUNT_DIGITS = 39;

/** A text by which amounts sort. */
export function amountOrder(amount: bigint | string): string {
  return BigInt(amount).toString().padStart(AMOUNT_DIGITS, '0');
}

/** What buyers need of `extra`: whether fees are sponsored, and the contract of `upto`. */
function listedExtra(extra: Readonly<Record<string, unknown>>) {
  const { areFeesSponsored, uptoContract } = extra as Partial<Record<string, unknown>>;
  return {
    ...(typeof areFeesSponsored === 'boolean' ? { areFeesSponsored } : {}),
    ...(typeof uptoContract === 'string' && uptoContract.length === 56 ? { uptoContract } : {}),
  };
}

/** The option that a settled payment took. What is told for one call alone is left out. */
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
