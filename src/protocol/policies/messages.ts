import type { PolicyType } from './definition.ts';

/** How a template is enforced. `signer-limits`: by the account itself, without a policy contract. */
export type EnforcementKind = 'policy-contract' | 'signer-limits';

/** A kind of policy that can be generated. */
export interface PolicyTemplate {
  readonly type: PolicyType;
  readonly title: string;
  readonly enforcement: { readonly kind: EnforcementKind };
  /** What enforces it, in one sentence that does not overstate it. */
  readonly enforcementLabel: string;
  readonly description: string;
  /** Definition to start from; addresses are placeholders. */
  readonly example: object;
}

/** One problem with a definition. */
export interface DefinitionProblem {
  /** Its location, as a JSON pointer into the definition. */
  readonly path: string;
  readonly code: DefinitionProblemCode;
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

/** An argument of the policy contract's constructor, in a form for people. */
export interface ConstructorArgument {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** What people should know before they attach the policy. */
export interface PolicySummary {
  readonly title: string;
  readonly prevents: readonly string[];
  readonly doesNotPrevent: readonly string[];
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
  /** Decimal places of the token that a spending limit is of; version 0.3.0 did not send it. */
  readonly decimals?: number;
}

export interface GeneratedPolicy {
  readonly id: string;
  readonly type: PolicyType;
  readonly state: PolicyState;
  /** The wallet that it is for. */
  readonly wallet: string;
  readonly network: string;
  readonly enforcement: { readonly kind: EnforcementKind };
  readonly enforcementLabel: string;
  /** `null` if the account itself enforces it and nothing is deployed. */
  readonly contract: PolicyContract | null;
  /** What the owner's passkey signs: a call of the wallet's `add_signer` with this `Signer`. */
  readonly attach: { readonly function: 'add_signer'; readonly signerXdr: string };
  /** Contracts for which a key's grants must name the policy; otherwise the policy has no effect on that key. */
  readonly grantOn: readonly string[];
  readonly summary: PolicySummary;
}

export interface PolicySimulation {
  readonly id: string;
  readonly contractId: string;
  readonly deployable: boolean;
  readonly alreadyDeployed: boolean;
  /** Reasons, if it is not deployable. */
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Stroops that the sponsor would bid; `null` if there is nothing to pay, or it cannot be deployed. */
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

export interface DeployedInstance {
  readonly id: string;
  readonly state: PolicyState;
  readonly contractId: string;
  /** Hash of the deployment; `null` if the contract was already on the ledger and its hash was not recorded. */
  readonly deployTxHash: string | null;
}

/** The current state of a policy on the ledger. */
export interface LedgerStanding {
  /** Whether what enforces it exists: its contract, or the account if that enforces it itself. */
  readonly deployed: boolean;
  /** Whether it is among the wallet's signers: the policy, or the key with exactly these limits. */
  readonly attached: boolean;
  /** `other`: the wallet runs a module that the gateway does not know, so it does not know what the wallet enforces. */
  readonly account: 'known' | 'other' | 'missing';
}

export interface RecordedPolicy {
  readonly id: string;
  readonly state: 'recorded';
  /** `null` if the account itself enforces it. */
  readonly contractId: string | null;
  readonly attachTxHash: string;
}
