import type { PolicyType } from './definition.ts';

/** How a template is enforced. `signer-limits`: by the account itself, without a policy contract. */
export type EnforcementKind = 'policy-contract' | 'signer-limits';

/** A kind of policy that can be generated. */
export interface PolicyTemplate {
  /** The `type` of definitions. */
  readonly type: PolicyType;
  /** One line. */
  readonly title: string;
  /** Who enforces it: a contract on the ledger, or the account itself. */
  readonly enforcement: { readonly kind: EnforcementKind };
  /** What enforces it, in one sentence that does not overstate it. */
  readonly enforcementLabel: string;
  /** What it limits. */
  readonly description: string;
  /** Definition to start from; addresses are placeholders. */
  readonly example: object;
}

/** One problem with a definition. */
export interface DefinitionProblem {
  /** Its location, as a JSON pointer into the definition. */
  readonly path: string;
  /** A one-word code for the problem. */
  readonly code: DefinitionProblemCode;
  /** The problem as a sentence. */
  readonly message: string;
}

export type DefinitionProblemCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_member'
  | 'unsupported_version'
  | 'unknown_type'
  | 'not_one_wallet'
  | 'not_a_contract'
  | 'not_a_token'
  | 'not_an_account'
  | 'malformed_amount'
  | 'amount_not_positive'
  | 'over_the_limit'
  | 'not_a_count'
  | 'not_an_address'
  | 'own_wallet'
  | 'not_one_limit'
  | 'empty'
  | 'too_many'
  | 'repeated';

export type ValidationResult =
  | { readonly valid: true; readonly problems: readonly DefinitionProblem[] }
  | { readonly valid: false; readonly problems: readonly DefinitionProblem[] };

/** The stage of a policy (spec: Policy lifecycle). */
export type PolicyState = 'generated' | 'deploying' | 'deployed' | 'recorded';

/** An argument of the policy contract's constructor, in readable form. */
export interface ConstructorArgument {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** What the owner should know before attaching the policy. */
export interface PolicySummary {
  /** One line. */
  readonly title: string;
  /** What the key cannot do, one sentence each. */
  readonly prevents: readonly string[];
  /** What the key can still do, one sentence each. */
  readonly doesNotPrevent: readonly string[];
  /** What its owner should know, one sentence each. */
  readonly warnings: readonly string[];
}

/** The contract of a policy: its address is known before it is deployed. */
export interface PolicyContract {
  readonly contractId: string;
  /** The deployer (`G…`): the address is derived from it and the policy's id. Version 0.3.0 did not send it. */
  readonly deployer?: string;
  readonly module: string;
  /** SHA-256 of the module, hex. */
  readonly wasmHash: string;
  readonly constructorArguments: readonly ConstructorArgument[];
  /** The same arguments, each as base64 XDR of an `SCVal`. */
  readonly constructorArgumentsXdr: readonly string[];
  /** Decimal places of the token of a spending limit; version 0.3.0 did not send it. */
  readonly decimals?: number;
}

export interface GeneratedPolicy {
  /** The policy's id at the gateway, for later calls. */
  readonly id: string;
  /** Which template it was made from. */
  readonly type: PolicyType;
  /** The policy's stage. */
  readonly state: PolicyState;
  /** The wallet that the policy is for. */
  readonly wallet: string;
  /** CAIP-2 name of the network, such as `stellar:testnet`. */
  readonly network: string;
  /** Who enforces it: a contract on the ledger, or the account itself. */
  readonly enforcement: { readonly kind: EnforcementKind };
  /** What enforces it, in one sentence. */
  readonly enforcementLabel: string;
  /** `null` if the account itself enforces it and nothing is deployed. */
  readonly contract: PolicyContract | null;
  /** What the owner's passkey signs: a call of the wallet's `add_signer` with this `Signer`. */
  readonly attach: { readonly function: 'add_signer'; readonly signerXdr: string };
  /** Contracts for which a key's grants must name the policy, or the policy has no effect on that key. */
  readonly grantOn: readonly string[];
  /** What the policy does, described for its owner. */
  readonly summary: PolicySummary;
}

export interface PolicySimulation {
  /** The policy, as the gateway names it. */
  readonly id: string;
  /** The address that its contract will have (`C…`). */
  readonly contractId: string;
  /** Whether deploying it would succeed now. */
  readonly deployable: boolean;
  /** Whether the contract exists. */
  readonly alreadyDeployed: boolean;
  /** Why it cannot be deployed, if so. */
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Stroops that the sponsor would bid; `null` if there is nothing to pay or the policy cannot be deployed. */
  readonly cost: {
    readonly resourceFee: string;
    readonly inclusionFee: string;
    readonly total: string;
  } | null;
  /** What deploying it would consume. */
  readonly resources: {
    readonly instructions: number;
    readonly readEntries: number;
    readonly writeEntries: number;
    readonly readBytes: number;
    readonly writeBytes: number;
  } | null;
}

export interface DeployedInstance {
  /** The policy, as the gateway names it. */
  readonly id: string;
  /** The policy's stage. */
  readonly state: PolicyState;
  /** The policy's contract (`C…`). */
  readonly contractId: string;
  /** Hash of the deployment; `null` if the contract was already on the ledger and its hash was not recorded. */
  readonly deployTxHash: string | null;
}

/** The current state of a policy on the ledger. */
export interface LedgerStanding {
  /** Whether its enforcer exists: its contract, or the account if that enforces the policy itself. */
  readonly deployed: boolean;
  /** Whether it is among the wallet's signers: the policy, or the key with exactly these limits. */
  readonly attached: boolean;
  /** `other`: the wallet runs a module that the gateway does not know, so it does not know what the wallet enforces. */
  readonly account: 'known' | 'other' | 'missing';
}

export interface RecordedPolicy {
  /** The policy, as the gateway names it. */
  readonly id: string;
  /** The gateway has recorded that it is attached. */
  readonly state: 'recorded';
  /** `null` if the account itself enforces it. */
  readonly contractId: string | null;
  /** Hash of the transaction that attached it. */
  readonly attachTxHash: string;
}
