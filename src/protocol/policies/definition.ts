/** What a client asks a policy to be. `owners` holds the one wallet that it is for (`C…`). */
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

/** A cumulative allowance in windows of 24 hours. It has one limit: in XLM, or in another asset. */
export interface SpendingLimitDefinition extends Common {
  readonly type: 'spending_limit';
  readonly spendingLimits: {
    /** XLM, as a decimal string. */
    readonly dailyXlm?: string;
    /** Of a token, by its contract; the amount as a decimal string of at most 7 places. */
    readonly daily?: readonly { readonly asset: string; readonly amount: string }[];
  };
  /** The key that it is for (`G…`): each key has a limit of its own then, where they would share one. */
  readonly agent?: string;
}

/** Only contracts that a registry attests are paid. */
export interface VerifiedOnlyDefinition extends Common {
  readonly type: 'verified_only';
  /** The registry's contract. */
  readonly registry: string;
}

/** A key acts on these contracts only together with other keys. */
export interface MultisigDefinition extends Common {
  readonly type: 'multisig';
  /** The limited key (`G…`). */
  readonly signer: string;
  readonly contracts: readonly string[];
  /** Keys that must all sign too (`G…`). */
  readonly coSigners: readonly string[];
}

/** A key acts on these contracts and on no others. */
export interface AllowListDefinition extends Common {
  readonly type: 'allow_list';
  readonly signer: string;
  readonly contracts: readonly string[];
}

/** Seconds of the window of a daily limit. */
export const DAILY_WINDOW_SECONDS = 86_400n;
