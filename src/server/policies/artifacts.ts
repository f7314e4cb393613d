import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  SPENDING_LIMIT_CONSTRUCTOR,
  type SpendingLimitArguments,
  VERIFIED_ONLY_CONSTRUCTOR,
  type VerifiedOnlyArguments,
} from '../../protocol/bindings/index.ts';
import {
  type AccountAddress,
  assetName,
  type ContractAddress,
  decodeStrKey,
  STELLAR_TESTNET,
  XLM_CONTRACT,
} from '../../protocol/index.ts';
import {
  constructorArguments,
  type EncodedArgument,
  type GeneratedPolicy,
  type PolicySummary,
  policyIdInput,
  policyIdOf,
  policyIdPrefix,
} from '../../protocol/policies/index.ts';
import { type SignerKey, toSigner } from '../../protocol/smartAccount/index.ts';
import { policyContractId } from './contractIds.ts';
import type { ReadDefinition } from './definition/readDefinition.ts';
import { NAMED, OWNERS, summaryOfLimit } from './limitSummary.ts';
import type { PolicyModule, PolicyModules } from './policyModules.ts';
import { TEMPLATES } from './templates.ts';

/** The environment of policies: the network's contracts and the deployer. */
export interface PolicySetting {
  readonly modules: PolicyModules;
  readonly deployer: AccountAddress;
  /** The settlement contract that can release amounts of a spending limit; `undefined` if only `exact` is served. */
  readonly uptoContract: ContractAddress | undefined;
}

interface ContractPlan {
  readonly module: PolicyModule;
  readonly args: readonly EncodedArgument[];
  readonly grantOn: readonly ContractAddress[];
}

function planOf(definition: ReadDefinition, setting: PolicySetting): ContractPlan | undefined {
  const { modules, uptoContract: upto } = setting;
  const { wallet } = definition;
  if (definition.type === 'verified_only') {
    const values: VerifiedOnlyArguments = { wallet, registry: definition.registry };
    const args = constructorArguments(VERIFIED_ONLY_CONSTRUCTOR, values);
    return { module: modules.verifiedOnly, args, grantOn: [] };
  }
  if (definition.type !== 'spending_limit') return undefined;
  const token = definition.asset ?? XLM_CONTRACT;
  const values: SpendingLimitArguments = {
    wallet,
    token,
    upto: upto ?? null,
    limit: definition.amount,
    window: definition.window,
    per_payment: definition.perPayment,
    recipients: definition.recipients,
    payments: definition.maxPayments,
    sliding: definition.sliding,
  };
  const args = constructorArguments(SPENDING_LIMIT_CONSTRUCTOR, values);
  const grantOn = upto === undefined ? [token] : [token, upto];
  return { module: modules.spendingLimit, args, grantOn };
}

const KEPT = { expirationLedger: null, storage: 'Persistent' } as const;

function ed25519(account: AccountAddress): SignerKey {
  const publicKey = decodeStrKey('account', account);
  if (publicKey === undefined) throw new TypeError('a branded address always decodes');
  return { kind: 'ed25519', publicKey };
}

/** Returns the signer that the owner adds: the policy's contract, or the key with its limits. */
function signerOf(definition: ReadDefinition, contract: ContractAddress | undefined): xdr.ScVal {
  if (contract !== undefined) {
    return toSigner({ key: { kind: 'policy', policy: contract }, grants: new Map(), ...KEPT });
  }
  if (definition.type !== 'multisig' && definition.type !== 'allow_list') {
    throw new TypeError('a policy with a contract has its own contract');
  }
  const { signer, contracts, coSigners } = definition;
  const approvers = coSigners.length === 0 ? null : coSigners.map(ed25519);
  const grants = new Map(contracts.map((granted) => [granted, approvers]));
  return toSigner({ key: ed25519(signer), grants, ...KEPT });
}

/**
 * Returns the id. The same definition in the same environment has the same id, so repeating a request does not create a second
 * policy.
 */
function idOf(definition: ReadDefinition, plan: ContractPlan | undefined, signer: xdr.ScVal) {
  const { type, wallet } = definition;
  const origin = { type, wallet, agent: type === 'spending_limit' ? definition.agent : null };
  const args = plan?.args.map(({ encoded }) => encoded) ?? [];
  const input =
    plan === undefined
      ? Buffer.concat([policyIdPrefix(origin), signer.toXdr()])
      : policyIdInput(origin, plan.module.hash, args);
  return policyIdOf(createHash('sha256').update(input).digest());
}

/** Returns what can be deployed and signed for a definition (spec: POST /policies/generate). */
export function artifactsOf(definition: ReadDefinition, setting: PolicySetting): GeneratedPolicy {
  const plan = planOf(definition, setting);
  const own = plan === undefined ? signerOf(definition, undefined) : xdr.ScVal.scvVoid();
  const id = idOf(definition, plan, own);
  const contractId = plan && policyContractId(setting.deployer, id);
  const { enforcement, enforcementLabel } = TEMPLATES[definition.type];
  return {
    id,
    type: definition.type,
    state: 'generated',
    wallet: definition.wallet,
    network: STELLAR_TESTNET,
    enforcement,
    enforcementLabel,
    contract:
      plan === undefined || contractId === undefined
        ? null
        : {
            contractId,
            deployer: setting.deployer,
            module: plan.module.name,
            wasmHash: Buffer.from(plan.module.hash).toString('hex'),
            constructorArguments: plan.args.map(({ name, type, value }) => ({ name, type, value })),
            constructorArgumentsXdr: plan.args.map(({ encoded }) => encoded.toXdr('base64')),
            ...(definition.type === 'spending_limit' ? { decimals: definition.decimals } : {}),
          },
    attach: {
      function: 'add_signer',
      signerXdr: signerOf(definition, contractId).toXdr('base64'),
    },
    grantOn: plan?.grantOn ?? [],
    summary: summaryOf(definition),
  };
}

/** Summarizes what a policy will and will not prevent, for its signer. */
function summaryOf(definition: ReadDefinition): PolicySummary {
  switch (definition.type) {
    case 'spending_limit':
      return summaryOfLimit(definition);
    case 'verified_only':
      return {
        title: 'Verified contracts only',
        prevents: [
          `Paying an address that the registry ${definition.registry} does not currently attest, including accounts (G…).`,
          'Any call without a recipient.',
        ],
        doesNotPrevent: [
          'Spending any amount. Combine it with a spending limit to cap amounts.',
          'Paying a contract that is attested but harmful: verified means that its source is reproducible and attributable.',
          OWNERS,
        ],
        warnings: ['It trusts the registry’s attestor.', NAMED],
      };
    case 'multisig': {
      const { signer, coSigners } = definition;
      const others = coSigners.length === 1 ? '1 other key' : `${coSigners.length} other keys`;
      return {
        title: `${signer} acts only together with ${others}`,
        prevents: [
          `Actions of this key without the signature of ${coSigners.join(' and of ')}.`,
          otherContracts(definition.contracts),
        ],
        doesNotPrevent: ['Payments of any amount to anyone, once all have signed.', OWNERS],
        warnings: [
          'All the other keys must sign, so losing one of them blocks this key.',
          'They must all be keys of the account. As long as one is not, this key cannot act.',
          'What another key may do alone depends on its own limits. An owner’s key needs no other key.',
        ],
      };
    }
    case 'allow_list':
      return {
        title: `${definition.signer} calls only listed contracts`,
        prevents: [otherContracts(definition.contracts)],
        doesNotPrevent: [
          'Payments of any amount to anyone through the listed contracts: a listed asset can be sent anywhere.',
          'Calls of any function of these contracts, including an asset’s allowances.',
          OWNERS,
        ],
        warnings: ['It restricts contracts, not recipients.'],
      };
  }
}

function otherContracts(contracts: readonly string[]): string {
  return `Calls of this key to contracts other than ${contracts.map(assetName).join(', ')}.`;
}
