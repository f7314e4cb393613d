import type { PolicyType } from './definition.ts';

/** How a template is enforced. `signer-limits`: by the account itself, without a policy contract. */
export type EnforcementKind = 'policy-contract' | 'signer-limits';

/** A kind of policy that can be generated. */
export interface PolicyTemplate {
  readonly type: PolicyType;
  readonly title: string;
  readonly enforcement: { readonly kind: EnforcementKind };
  /** What enforces it, in one sentence that claims no more than it does. */
  readonly enforcementLabel: string;
  readonly description: string;
  /** Definition to begin with; addresses are placeholders. */
  readonly example: object;
}

/** One thing that is wrong with a definition. */
export interface DefinitionProblem {
  /** Where, as a JSON pointer into the definition. */
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
  | 'not_an_address'
  | 'own_wallet'
  | 'not_one_limit'
  | 'empty'
  | 'too_many'
  | 'repeated';

export type ValidationResult =
  | { readonly valid: true; readonly problems: readonly DefinitionProblem[] }
  | { readonly valid: false; readonly problems: readonly DefinitionProblem[] };

/** Where a policy is on its way (spec: Policy lifecycle). */
export type PolicyState = 'generated' | 'deploying' | 'deployed' | 'recorded';

/** An argument of the policy contract's constructor, for people. */
export interface ConstructorArgument {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** What people should know before they attach it. */
export interface PolicySummary {
  readonly title: string;
  readonly prevents: readonly string[];
  readonly doesNotPrevent: readonly string[];
  readonly warnings: readonly string[];
}

/** The contract of a policy: its address is known before it is deployed. */
export interface PolicyContract {
  readonly contractId: string;
  /** Who deploys it (`G…`): the address follows from that and the policy's id. Version 0.3.0 did not say. */
  readonly deployer?: string;
  readonly module: string;
  /** SHA-256 of the module, hex. */
  readonly wasmHash: string;
  readonly constructorArguments: readonly ConstructorArgument[];
  /** The same, base64 XDR of an `SCVal` each. */
  readonly constructorArgumentsXdr: readonly string[];
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
  /** null: the account itself enforces it, and nothing is deployed. */
  readonly contract: PolicyContract | null;
  /** What the owner's passkey signs: a call of the wallet's `add_signer` with this `Signer`. */
  readonly attach: { readonly function: 'add_signer'; readonly signerXdr: string };
  /** Contracts for which a key must name the policy in its grants, or it has no effect on that key. */
  readonly grantOn: readonly string[];
  readonly summary: PolicySummary;
}

export interface PolicySimulation {
  readonly id: string;
  readonly contractId: string;
  readonly deployable: boolean;
  readonly alreadyDeployed: boolean;
  /** Why not, when it is not deployable. */
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Stroops that the sponsor would bid; null when there is nothing to pay, or no way to. */
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
  /** Hash of the deployment; null when the ledger had it already and nobody kept the hash. */
  readonly deployTxHash: string | null;
}

/** What the ledger has of a policy now. */
export interface LedgerStanding {
  /** Whether what enforces it is there: its contract, or the account where that enforces it itself. */
  readonly deployed: boolean;
  /** Whether the wallet holds it among its signers: the policy, or the key with just these limits. */
  readonly attached: boolean;
  /** `other`: the wallet runs a module that the gateway does not know, and so not what it enforces. */
  readonly account: 'known' | 'other' | 'missing';
}

export interface RecordedPolicy {
  readonly id: string;
  readonly state: 'recorded';
  /** null: the account itself enforces it. */
  readonly contractId: string | null;
  readonly attachTxHash: string;
}
