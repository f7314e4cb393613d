import type { GeneratedPolicy, LedgerStanding } from './messages.ts';

/** A policy of a wallet, as the gateway stores it. */
export interface WalletPolicyRecord {
  readonly policy: GeneratedPolicy;
  readonly deployTxHash: string | null;
  readonly attachTxHash: string | null;
}

/** A stored policy with its state on the ledger; `null` if it was not looked up, because nothing can be stored now. */
export interface ReconciledPolicyRecord extends WalletPolicyRecord {
  readonly ledger: LedgerStanding | null;
}

/** A request for an owner's passkey. `keyId`: base64url of the passkey, if it is known. */
export type PasskeyTask =
  /** Creates a passkey, and a smart account that it owns. */
  | { readonly kind: 'create_account'; readonly name: string }
  /** Proves control of the wallet, if required, and lets the sponsor deploy the policy. */
  | { readonly kind: 'deploy'; readonly policyId: string; readonly keyId?: string | undefined }
  /** Attaches a policy of the gateway to the wallet that it is for. */
  | { readonly kind: 'attach'; readonly policyId: string; readonly keyId?: string | undefined }
  /** Replaces all limits of a spending limit, in its own contract. */
  | {
      readonly kind: 'change_limits';
      /** The policy's contract. */
      readonly policy: string;
      /** The new limits: a spending limit of the same account and asset, without `agent`. */
      readonly definition: unknown;
      readonly keyId?: string | undefined;
    }
  | {
      readonly kind: 'revoke';
      readonly wallet: string;
      /** The policy's contract. */
      readonly policy: string;
      readonly keyId?: string | undefined;
    }
  /** Removes a key from the account. */
  | {
      readonly kind: 'remove_key';
      readonly wallet: string;
      /** `G…` */
      readonly key: string;
      readonly keyId?: string | undefined;
    }
  /** Adds a key to the account that can only sign together with others. */
  | {
      readonly kind: 'add_co_signer';
      readonly wallet: string;
      /** `G…` */
      readonly key: string;
      readonly keyId?: string | undefined;
    }
  /** Lets an agent's own key call contracts within the limits of policies. */
  | {
      readonly kind: 'add_agent';
      readonly wallet: string;
      /** `G…` */
      readonly agent: string;
      readonly contracts: readonly string[];
      /** Contracts of policies, in the order in which the account calls them. */
      readonly policies: readonly string[];
      readonly keyId?: string | undefined;
    };

/** A passkey request that is open. */
export interface PasskeyOpened {
  readonly id: string;
  /** Path of its page, which contains the one-time token. */
  readonly page: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export type PasskeyState = 'waiting' | 'working' | 'done' | 'failed' | 'cancelled' | 'expired';

/** The outcome of a request. */
export interface PasskeyStatus {
  readonly id: string;
  readonly state: PasskeyState;
  readonly outcome: PasskeyOutcome | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

export interface PasskeyOutcome {
  readonly wallet: string;
  /** base64url of the passkey that answered. */
  readonly keyId: string;
  /** Transaction hash; empty if a deployment was already on the ledger and its hash was not recorded. */
  readonly transaction: string;
  /** Why the gateway did not record an attachment that is on the ledger; `null` if it did, or had none to record. */
  readonly unrecorded: string | null;
}

/** What the page shows and requests. Bytes are base64url. */
export interface PasskeyPageRequest {
  readonly action: 'create' | 'sign';
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly groups: readonly { readonly title: string; readonly items: readonly string[] }[];
  readonly challenge: string;
  /** The only passkey that may sign; `null` lets the browser offer those it has. */
  readonly keyId: string | null;
  /** Name of the passkey to create; `null` if an existing one is asked to sign. */
  readonly user: string | null;
  readonly expiresAt: number;
}
