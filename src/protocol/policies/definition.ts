import { XLM_CONTRACT } from '../../../common/testnetAssets.ts';

/** A client's definition of a policy. `owners` contains the one wallet that it is for (`C…`). */
export type PolicyDefinition =
  | SpendingLimitDefinition
  | VerifiedOnlyDefinition
  | MultisigDefinition
  | AllowListDefinition;

export type PolicyType = PolicyDefinition['type'];

interface Common {
  readonly version: '1';
  readonly owners: readonly string[];
}

/** The limit of a token, by its contract; the amount is a decimal string with at most the token's decimal places. */
export interface AssetLimit {
  readonly asset: string;
  readonly amount: string;
}

/** A cumulative allowance in a time window. It has one limit, in XLM or in another asset. */
export interface SpendingLimitDefinition extends Common {
  readonly type: 'spending_limit';
  /** Maximum in each window, for one asset; amounts are decimal numbers in the asset's unit. */
  readonly spendingLimits: {
    /** XLM in 24 hours, as a decimal string. */
    readonly dailyXlm?: string;
    /** In 24 hours. */
    readonly daily?: readonly AssetLimit[];
    /** In 7 days. */
    readonly weekly?: readonly AssetLimit[];
    /** In 30 days. */
    readonly monthly?: readonly AssetLimit[];
  };
  /**
   * Whether the window slides, so that payments in any span of its length stay within the limit. Otherwise it starts with its
   * first payment.
   */
  readonly sliding?: boolean;
  /** Maximum number of payments in a window. */
  readonly maxPayments?: number;
  /** Maximum of one payment, as a decimal string in the same asset; under `upto` it applies to the ceiling. */
  readonly perPayment?: string;
  /** Recipients that may be paid (`G…` or `C…`), at most 20; any recipient if undefined. */
  readonly recipients?: readonly string[];
  /** The key (`G…`) that the limit applies to. Each such key has its own limit; keys without one share a limit. */
  readonly agent?: string;
}

/** Allows payments only to contracts that a registry attests as verified. */
export interface VerifiedOnlyDefinition extends Common {
  readonly type: 'verified_only';
  /** The registry's contract. */
  readonly registry: string;
}

/** Lets a key call these contracts only together with other keys. */
export interface MultisigDefinition extends Common {
  readonly type: 'multisig';
  /** The limited key (`G…`). */
  readonly signer: string;
  /** Contracts whose calls need the signatures (`C…`). */
  readonly contracts: readonly string[];
  /** Keys that must all sign as well (`G…`). */
  readonly coSigners: readonly string[];
}

/** Lets a key call only these contracts. */
export interface AllowListDefinition extends Common {
  readonly type: 'allow_list';
  /** The limited key (`G…`). */
  readonly signer: string;
  /** Contracts that it may call (`C…`). */
  readonly contracts: readonly string[];
}

/** A window, named after its limit in a definition. */
export type LimitMember = 'daily' | 'weekly' | 'monthly';

/** Lengths of the windows in seconds. A month is 30 days. */
export const WINDOW_SECONDS: Readonly<Record<LimitMember, bigint>> = {
  daily: 86_400n,
  weekly: 604_800n,
  monthly: 2_592_000n,
};

/** The windows, shortest first. */
export const LIMIT_MEMBERS = ['daily', 'weekly', 'monthly'] as const;

/** The most recipients that the policy's contract accepts. */
export const MAX_RECIPIENTS = 20;

/** The highest number of payments that the policy's contract accepts as a limit. */
export const MAX_PAYMENTS = 2 ** 32 - 1;

/** Whether a value is valid as a window's maximum number of payments. */
export function isPaymentCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_PAYMENTS;
}

/** Returns the one limit of a definition; `undefined` if it has none. */
export function limitOf({
  spendingLimits,
}: SpendingLimitDefinition): (AssetLimit & { readonly member: LimitMember }) | undefined {
  const { dailyXlm } = spendingLimits;
  if (dailyXlm !== undefined) return { member: 'daily', asset: XLM_CONTRACT, amount: dailyXlm };
  for (const member of LIMIT_MEMBERS) {
    const [limit] = spendingLimits[member] ?? [];
    if (limit !== undefined) return { ...limit, member };
  }
  return undefined;
}
