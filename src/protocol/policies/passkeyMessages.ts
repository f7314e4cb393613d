import type { GeneratedPolicy, LedgerStanding } from './messages.ts';

/** A policy of a wallet as the gateway keeps it. */
export interface WalletPolicyRecord {
  readonly policy: GeneratedPolicy;
  readonly deployTxHash: string | null;
  readonly attachTxHash: string | null;
}

/** The same with what the ledger says; null: it was not looked up, as nothing can be kept now. */
export interface ReconciledPolicyRecord extends WalletPolicyRecord {
  readonly ledger: LedgerStanding | null;
}

/** What an owner's passkey is asked for. `keyId`: base64url of the passkey, where it is known. */
export type PasskeyTask =
  /** Makes a passkey, and a smart account that it owns. */
  | { readonly kind: 'create_account'; readonly name: string }
  /** Shows control of the wallet, and lets the sponsor deploy the policy: where that is asked for. */
  | { readonly kind: 'deploy'; readonly policyId: string; readonly keyId?: string | undefined }
  /** Attaches a policy of the gateway to the wallet that it is for. */
  | { readonly kind: 'attach'; readonly policyId: string; readonly keyId?: string | undefined }
  | {
      readonly kind: 'revoke';
      readonly wallet: string;
      /** The policy's contract. */
      readonly policy: string;
      readonly keyId?: string | undefined;
    }
  /** Takes a key out of the account. */
  | {
      readonly kind: 'remove_key';
      readonly wallet: string;
      /** `G…` */
      readonly key: string;
      readonly keyId?: string | undefined;
    }
  /** Puts a key into the account that signs with others, and does nothing alone. */
  | {
      readonly kind: 'add_co_signer';
      readonly wallet: string;
      /** `G…` */
      readonly key: string;
      readonly keyId?: string | undefined;
    }
  /** Lets a key of its own act on contracts, as far as policies agree. */
  | {
      readonly kind: 'add_agent';
      readonly wallet: string;
      /** `G…` */
      readonly agent: string;
      readonly contracts: readonly string[];
      /** Contracts of policies, in the order in which they are asked. */
      readonly policies: readonly string[];
      readonly keyId?: string | undefined;
    };

/** A request for the passkey that was opened. */
export interface PasskeyOpened {
  readonly id: string;
  /** Path of its page, which holds the one-time token. */
  readonly page: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export type PasskeyState = 'waiting' | 'working' | 'done' | 'failed' | 'cancelled' | 'expired';

/** What became of a request. */
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
  /** Hash; empty when a deployment was on the ledger and nobody kept it. */
  readonly transaction: string;
  /** Why the gateway did not record an attach that is on the ledger; null when it did, or had not to. */
  readonly unrecorded: string | null;
}

/** What the page shows and asks for. Bytes are base64url. */
export interface PasskeyPageRequest {
  readonly action: 'create' | 'sign';
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly groups: readonly { readonly title: string; readonly items: readonly string[] }[];
  readonly challenge: string;
  /** The one passkey that is asked; null: the browser offers those it has. */
  readonly keyId: string | null;
  /** Name of the passkey that is made; null when one is asked to sign. */
  readonly user: string | null;
  readonly expiresAt: number;
}
