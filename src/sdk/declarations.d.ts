/** The client SDK: what the package `svc-x402/sdk` exports, in browsers and in Node. */

/** Of a Soroban value; whichever copy of the Stellar SDK made it. */
export interface SorobanValue {
  toXdr(): Uint8Array;
}

/** What is to be signed: one transfer, until one ledger. */
export interface SigningRequest {
  /** SHA-256 of the authorization's preimage: what the ledger checks the signature against. */
  readonly hash: Uint8Array;
  readonly preimage: Uint8Array;
  /** Last ledger in which the signature holds. */
  readonly expirationLedger: number;
}

/** Who pays; made by `agentSigner`, `passkeySigner` or `accountSigner`. */
export interface PaymentSigner {
  readonly address: string;
}

/** A classic account (`G…`) with one key of full weight. */
export function accountSigner(
  address: string,
  signHash: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): PaymentSigner;

/** A key of a smart account's own, as an agent has it. What it may do the account's policies say. */
export function agentSigner(
  wallet: string,
  publicKey: Uint8Array,
  signHash: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): PaymentSigner;

/** What an authenticator gives (`AuthenticatorAssertionResponse`), in bytes. */
export interface PasskeyAssertion {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJSON: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
}

/** A passkey of a smart account; `assert` prompts. */
export function passkeySigner(
  wallet: string,
  keyId: Uint8Array,
  assert: (challenge: Uint8Array) => PasskeyAssertion | Promise<PasskeyAssertion>,
): PaymentSigner;

/** What may have happened to the payer's money when an error is raised. */
export type MoneyMoved = 'no' | 'yes' | 'unknown';

/** Base of the errors of a payment. Tell them apart by `code`. */
export abstract class X402Error extends Error {
  abstract readonly code: string;
  readonly moneyMoved: MoneyMoved;
}
/** The seller asks more than `maxAmount`, or than is left of the session. Nothing was signed. */
export class MaxAmountExceededError extends X402Error {
  readonly code: 'max_amount_exceeded';
  readonly asked: bigint;
  readonly maxAmount: bigint;
  constructor(asked: bigint, maxAmount: bigint);
}
/** None of the offered assets is in `allowedAssets`. Nothing was signed. */
export class DisallowedAssetError extends X402Error {
  readonly code: 'disallowed_asset';
  readonly offered: readonly string[];
  constructor(offered: readonly string[]);
}
/** No option has the scheme and network that can be paid, with its fees sponsored. */
export class NoUsablePaymentOptionError extends X402Error {
  readonly code: 'no_usable_payment_option';
  readonly because: 'network' | 'scheme' | 'fees_not_sponsored' | 'no_options';
  constructor(because: NoUsablePaymentOptionError['because'], message: string);
}
/** What the seller asks is malformed; only the seller can mend it. */
export class InvalidRequirementsError extends X402Error {
  readonly code: 'invalid_requirements';
}
/** The payment was refused. Read `reason` and `moneyMoved` before paying again. */
export class PaymentRejectedError extends X402Error {
  readonly code: 'payment_rejected';
  readonly reason: string;
  readonly transaction: string;
  constructor(reason: string, transaction: string, detail?: string);
}
/** A payment was asked of a wallet that is not configured for x402, or is wrongly. */
export class X402NotConfiguredError extends X402Error {
  readonly code: 'not_configured';
}
/** The network's simulation of the transfer failed. Nothing was sent to the seller. */
export class CannotPayError extends X402Error {
  readonly code: 'cannot_pay';
  readonly reason:
    | 'insufficient_balance'
    | 'trustline_missing'
    | 'policy_refused'
    | 'restore_required'
    | 'simulation_failed';
  /** The network's own words, or those of the policy that refused. */
  readonly detail: string;
  /** Which policy refused, where a smart account told. */
  readonly refusal: AccountRefusal | undefined;
  constructor(
    reason: CannotPayError['reason'],
    message: string,
    detail: string,
    refusal?: AccountRefusal,
  );
}
/** The payment settled and the resource failed then. Money moved: never retried. */
export class SettledWithoutResourceError extends X402Error {
  readonly code: 'settled_without_resource';
  readonly transaction: string;
  readonly status: number;
  constructor(transaction: string, status: number);
}
/** The paid request got no answer that tells what became of the payment. Never retried. */
export class PaymentOutcomeUnknownError extends X402Error {
  readonly code: 'outcome_unknown';
  readonly expirationLedger: number;
  constructor(message: string, expirationLedger: number, options?: ErrorOptions);
}
/** The Stellar RPC could not be reached, or did not answer as one. */
export class RpcFailedError extends X402Error {
  readonly code: 'rpc_failed';
}

/** Options of payments. Amounts in atomic units. */
export interface X402FetchOptions {
  readonly signer: PaymentSigner;
  readonly rpcUrl: string;
  /** Most that one request may cost. */
  readonly maxAmount?: bigint;
  /** Most that all requests of this process together may cost: a guard against mistakes. */
  readonly sessionCeiling?: bigint;
  readonly allowedAssets?: readonly string[];
  readonly simulationSourceAccount?: string;
  readonly network?: string;
  readonly networkPassphrase?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** A `fetch` that pays what costs something, with scheme `exact`, and never twice. */
export function createX402Fetch(options: X402FetchOptions): typeof globalThis.fetch;

/** What a policy is to be. `owners` holds the one wallet that it is for. */
export type PolicyDefinition =
  | {
      readonly version: '1';
      readonly type: 'spending_limit';
      readonly owners: readonly string[];
      readonly spendingLimits: {
        readonly dailyXlm?: string;
        readonly daily?: readonly { readonly asset: string; readonly amount: string }[];
      };
    }
  | {
      readonly version: '1';
      readonly type: 'verified_only';
      readonly owners: readonly string[];
      readonly registry: string;
    }
  | {
      readonly version: '1';
      readonly type: 'multisig';
      readonly owners: readonly string[];
      readonly signer: string;
      readonly contracts: readonly string[];
      readonly coSigners: readonly string[];
    }
  | {
      readonly version: '1';
      readonly type: 'allow_list';
      readonly owners: readonly string[];
      readonly signer: string;
      readonly contracts: readonly string[];
    };

export interface PolicyTemplate {
  readonly type: PolicyDefinition['type'];
  readonly title: string;
  readonly enforcement: { readonly kind: 'policy-contract' | 'signer-limits' };
  readonly enforcementLabel: string;
  readonly description: string;
  readonly example: object;
}

export interface DefinitionProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface GeneratedPolicy {
  readonly id: string;
  readonly type: PolicyDefinition['type'];
  readonly state: 'generated' | 'deploying' | 'deployed' | 'recorded';
  readonly wallet: string;
  readonly network: string;
  readonly enforcement: PolicyTemplate['enforcement'];
  readonly enforcementLabel: string;
  readonly contract: {
    readonly contractId: string;
    readonly module: string;
    readonly wasmHash: string;
    readonly constructorArguments: readonly {
      readonly name: string;
      readonly type: string;
      readonly value: string | null;
    }[];
    readonly constructorArgumentsXdr: readonly string[];
  } | null;
  readonly attach: { readonly function: 'add_signer'; readonly signerXdr: string };
  /** Contracts for which a key must name the policy in its grants. */
  readonly grantOn: readonly string[];
  readonly summary: {
    readonly title: string;
    readonly prevents: readonly string[];
    readonly doesNotPrevent: readonly string[];
    readonly warnings: readonly string[];
  };
}

export interface PolicySimulation {
  readonly id: string;
  readonly contractId: string;
  readonly deployable: boolean;
  readonly alreadyDeployed: boolean;
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Stroops. */
  readonly cost: {
    readonly resourceFee: string;
    readonly inclusionFee: string;
    readonly total: string;
  } | null;
  readonly resources: {
    readonly instructions: number;
    readonly readEntries: number;
    readonly writeEntries: number;
    readonly readBytes: number;
    readonly writeBytes: number;
  } | null;
}

/** Base of the errors of policies. Tell them apart by `code`. */
export abstract class PolicyClientError extends Error {
  abstract readonly code: string;
}
export class PoliciesNotConfiguredError extends PolicyClientError {
  readonly code: 'not_configured';
}
/** The gateway refused, or cannot be reached. */
export class GatewayError extends PolicyClientError {
  readonly code: 'gateway';
  /** The gateway's own code; `unreachable` without an answer. */
  readonly reason: string;
  readonly status: number;
  readonly problems: readonly DefinitionProblem[];
}
/** The policy is attached, and the gateway did not record it: record it again. */
export class AttachNotRecordedError extends PolicyClientError {
  readonly code: 'attach_not_recorded';
  readonly id: string;
  readonly contractId: string;
  readonly attachTxHash: string;
}

/** The gateway's six routes. Every method rejects with `GatewayError`. */
export interface PolicyClient {
  listTemplates(): Promise<readonly PolicyTemplate[]>;
  validate(
    definition: PolicyDefinition,
  ): Promise<{ readonly valid: boolean; readonly problems: readonly DefinitionProblem[] }>;
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  deployInstance(
    id: string,
    proof?: string,
  ): Promise<{ readonly id: string; readonly contractId: string }>;
  record(
    id: string,
    attachTxHash: string,
  ): Promise<{ readonly contractId: string | null; readonly attachTxHash: string }>;
}

export function createPolicyClient(options: {
  readonly apiUrl: string;
  readonly network: string;
  readonly fetch?: typeof globalThis.fetch;
}): PolicyClient;

/** How a policy is attached: by the app, since only there the user can be prompted. */
export interface PolicyAttach {
  attachPolicy(policyContractId: string): Promise<{ readonly hash: string } | string>;
  resume?(keyId: string): Promise<unknown>;
  /** Signs what shows control of the wallet, for gateways that ask for it. Gives base64 XDR. */
  proveControl?(policyContractId: string): Promise<string>;
}

/** Signs what shows control of a wallet, for `proveControl`. The signer is an owner of it. */
export function signControlProof(
  signer: PaymentSigner,
  policyContractId: string,
  options: { readonly rpcUrl: string; readonly fetch?: typeof globalThis.fetch },
): Promise<string>;

export interface WalletPolicies {
  listTemplates(): Promise<readonly PolicyTemplate[]>;
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  deploy(id: string): Promise<{ readonly contractId: string; readonly attachTxHash: string }>;
}

/** Policies of a wallet over a client of one's own. */
export function createWalletPolicies(options: {
  readonly client: PolicyClient;
  readonly attach: PolicyAttach | undefined;
  readonly keyId: () => string | undefined;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}): WalletPolicies;

export interface ConnectedWallet {
  readonly address: string;
  readonly keyId: string;
}

export interface SvcWallet {
  readonly address: string | undefined;
  create(userName: string): Promise<ConnectedWallet & { readonly hash: string }>;
  connect(keyId?: string): Promise<ConnectedWallet>;
  balance(asset: string): Promise<bigint>;
  readonly policies: WalletPolicies;
  readonly x402: { readonly fetch: typeof globalThis.fetch };
}

export interface SvcWalletOptions {
  readonly network: string;
  readonly appName: string;
  /** `PasskeyKit` of `passkey-kit` is one. */
  readonly kit: {
    createWallet(
      app: string,
      user: string,
    ): Promise<{
      readonly contractId: string;
      readonly keyIdBase64: string;
      readonly signedTx: unknown;
    }>;
    connectWallet(options?: {
      readonly keyId?: string;
    }): Promise<{ readonly contractId: string; readonly keyIdBase64: string }>;
  };
  readonly sac?: {
    getSACClient(asset: string): {
      balance(args: { readonly id: string }): Promise<{ readonly result: bigint }>;
    };
  };
  readonly backend?: {
    submitTransaction(transaction: unknown): Promise<{ readonly hash: string }>;
  };
  readonly isValidAddress?: (address: string) => boolean;
  readonly apiUrl?: string;
  readonly policyAttach?: PolicyAttach;
  readonly x402?: X402FetchOptions;
  readonly fetch?: typeof globalThis.fetch;
}

/** Makes the handle of a wallet; what it was not given throws when it is asked for. */
export function createSvcWallet(options: SvcWalletOptions): SvcWallet;

/** Why a smart account refused. */
export interface AccountRefusal {
  readonly account: number;
  readonly policy: number | undefined;
  /** The contract of that policy (`C…`), where the report names it. */
  readonly policyContract: string | undefined;
  readonly message: string;
}

/** Finds in the host's report of a failed simulation why a smart account refused. */
export function explainRefusal(report: string): AccountRefusal | undefined;

export type SignerKey =
  | { readonly kind: 'policy'; readonly policy: string }
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array }
  | { readonly kind: 'secp256r1'; readonly keyId: Uint8Array };

export interface Signer {
  readonly key: SignerKey;
  readonly publicKey?: Uint8Array;
  readonly expirationLedger: number | null;
  readonly grants: ReadonlyMap<string, readonly SignerKey[] | null> | null;
  readonly storage: 'Persistent' | 'Temporary';
}

/** Values that the account's functions take. */
export function toSigner(signer: Signer): SorobanValue;
export function toSignerKey(key: SignerKey): SorobanValue;

export type SignerSignature =
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array; readonly signature: Uint8Array }
  | {
      readonly kind: 'secp256r1';
      readonly keyId: Uint8Array;
      readonly authenticatorData: Uint8Array;
      readonly clientDataJson: Uint8Array;
      readonly signature: Uint8Array;
    };

/** The signature of a smart account, as its `__check_auth` takes it. */
export function accountSignature(parts: readonly SignerSignature[]): SorobanValue;

/** A passkey's part of it. */
export function passkeySignature(keyId: Uint8Array, assertion: PasskeyAssertion): SignerSignature;
