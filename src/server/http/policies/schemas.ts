import { z } from 'zod';
import {
  type DefinitionProblem,
  type DeployedInstance,
  type GeneratedPolicy,
  MAX_PAYMENTS,
  MAX_RECIPIENTS,
  type PolicyDefinition,
  type PolicySimulation,
  type PolicyTemplate,
  type ReconciledPolicyRecord,
  type RecordedPolicy,
  type ValidationResult,
} from '../../../protocol/policies/index.ts';
import { POLICY_ERRORS, type PolicyErrorCode } from '../../policies/index.ts';

/** Schemas of the messages, for the OpenAPI document. The types ensure that they match what is sent. */

const address = z.string().meta({ description: 'A Stellar address (G… or C…)' });
const contract = z.string().meta({ description: 'The address of a contract (C…)' });
const decimal = z.string().meta({
  description: 'A decimal number with at most 7 decimal places, or as many as the asset has',
});
const amounts = z.array(z.object({ asset: contract, amount: decimal })).length(1);
const stroops = z.string().meta({ description: 'Stroops' });
const owners = z
  .array(contract)
  .length(1)
  .meta({ description: 'The one wallet that the policy is for' });
const version = z.literal('1');
const state = z.enum(['generated', 'deploying', 'deployed', 'recorded']);
const type = z.enum(['spending_limit', 'verified_only', 'multisig', 'allow_list']);
const kind = z.enum(['policy-contract', 'signer-limits']);
const enforcement = z.object({ kind });

export const definitionSchema = z.discriminatedUnion('type', [
  z.object({
    version,
    type: z.literal('spending_limit'),
    owners,
    spendingLimits: z
      .object({
        dailyXlm: decimal.exactOptional(),
        daily: amounts.exactOptional().meta({ description: 'In 24 hours' }),
        weekly: amounts.exactOptional().meta({ description: 'In 7 days' }),
        monthly: amounts.exactOptional().meta({ description: 'In 30 days' }),
      })
      .meta({ description: 'Exactly one of them' }),
    sliding: z.boolean().exactOptional().meta({
      description: 'Whether the window slides; otherwise it starts with its first payment',
    }),
    maxPayments: z
      .int()
      .min(1)
      .max(MAX_PAYMENTS)
      .exactOptional()
      .meta({ description: 'Maximum payments per window; if absent, any number' }),
    perPayment: decimal
      .exactOptional()
      .meta({ description: 'Maximum per payment; under upto the ceiling must fit' }),
    recipients: z
      .array(address)
      .min(1)
      .max(MAX_RECIPIENTS)
      .exactOptional()
      .meta({ description: 'Allowed recipients; if absent, any' }),
    agent: address
      .exactOptional()
      .meta({ description: 'The key that the limit is for; each such key has its own limit' }),
  }),
  z.object({ version, type: z.literal('verified_only'), owners, registry: contract }),
  z.object({
    version,
    type: z.literal('multisig'),
    owners,
    signer: address,
    contracts: z.array(contract),
    coSigners: z.array(address),
  }),
  z.object({
    version,
    type: z.literal('allow_list'),
    owners,
    signer: address,
    contracts: z.array(contract),
  }),
]) satisfies z.ZodType<PolicyDefinition>;

const problem = z.object({
  path: z.string().meta({ description: 'JSON pointer into the definition' }),
  code: z.enum([
    'required',
    'wrong_type',
    'unknown_member',
    'unsupported_version',
    'unknown_type',
    'not_one_wallet',
    'not_a_contract',
    'not_a_token',
    'not_an_account',
    'malformed_amount',
    'amount_not_positive',
    'over_the_limit',
    'not_a_count',
    'not_an_address',
    'own_wallet',
    'not_one_limit',
    'empty',
    'too_many',
    'repeated',
  ]),
  message: z.string(),
}) satisfies z.ZodType<DefinitionProblem>;

export const templatesSchema = z.object({
  templates: z.array(
    z.object({
      type,
      title: z.string(),
      enforcement,
      enforcementLabel: z.string(),
      description: z.string(),
      example: z.looseObject({}),
    }) satisfies z.ZodType<PolicyTemplate>,
  ),
});

export const validationSchema = z.union([
  z.object({ valid: z.literal(true), problems: z.array(problem).length(0) }),
  z.object({ valid: z.literal(false), problems: z.array(problem) }),
]) satisfies z.ZodType<ValidationResult>;

export const generatedSchema = z.object({
  id: z.string(),
  type,
  state,
  wallet: contract,
  network: z.string(),
  enforcement,
  enforcementLabel: z.string(),
  contract: z
    .object({
      contractId: contract,
      deployer: address
        .exactOptional()
        .meta({ description: 'The deployer; version 0.3.0 did not send it' }),
      module: z.string(),
      wasmHash: z.string(),
      constructorArguments: z.array(
        z.object({ name: z.string(), type: z.string(), value: z.string().nullable() }),
      ),
      constructorArgumentsXdr: z.array(z.string()),
      decimals: z.int().exactOptional().meta({ description: 'Decimal places of the token' }),
    })
    .nullable(),
  attach: z.object({ function: z.literal('add_signer'), signerXdr: z.string() }),
  grantOn: z.array(contract),
  summary: z.object({
    title: z.string(),
    prevents: z.array(z.string()),
    doesNotPrevent: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
}) satisfies z.ZodType<GeneratedPolicy>;

export const walletPoliciesSchema = z.object({
  policies: z.array(
    z.object({
      policy: generatedSchema,
      deployTxHash: z.string().nullable(),
      attachTxHash: z.string().nullable(),
      ledger: z
        .object({
          deployed: z.boolean(),
          attached: z.boolean(),
          account: z.enum(['known', 'other', 'missing']),
        })
        .nullable()
        .describe(
          'its state on the ledger now; null if not looked up, because nothing can be stored now',
        ),
    }) satisfies z.ZodType<ReconciledPolicyRecord>,
  ),
  pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
});

/** The requested page of a wallet's policies. */
export const policySliceSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export const simulationSchema = z.object({
  id: z.string(),
  contractId: contract,
  deployable: z.boolean(),
  alreadyDeployed: z.boolean(),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
  cost: z.object({ resourceFee: stroops, inclusionFee: stroops, total: stroops }).nullable(),
  resources: z
    .object({
      instructions: z.number(),
      readEntries: z.number(),
      writeEntries: z.number(),
      readBytes: z.number(),
      writeBytes: z.number(),
    })
    .nullable(),
}) satisfies z.ZodType<PolicySimulation>;

export const deployedSchema = z.object({
  id: z.string(),
  state,
  contractId: contract,
  deployTxHash: z.string().nullable(),
}) satisfies z.ZodType<DeployedInstance>;

export const recordedSchema = z.object({
  id: z.string(),
  state: z.literal('recorded'),
  contractId: contract.nullable(),
  attachTxHash: z.string(),
}) satisfies z.ZodType<RecordedPolicy>;

/** The body of a deployment request. */
export const deployBody = z.object({ proof: z.string().min(1).max(16_384).optional() });

/** The body of a request to record an attachment. `contractId` is allowed but not needed. */
export const recordBody = z.object({
  id: z.string(),
  attachTxHash: z.string(),
  contractId: z.string().optional(),
});

const CODES = Object.keys(POLICY_ERRORS) as PolicyErrorCode[];

/** Problem details of the codes that have a status. */
export function problemSchema(status: number) {
  const codes = CODES.filter((code) => POLICY_ERRORS[code].status === status);
  return z.object({
    type: z.string(),
    title: z.string(),
    status: z.literal(status),
    detail: z.string(),
    code: z.enum(codes),
    fix: z.string(),
    ...(status === POLICY_ERRORS.invalid_definition.status
      ? { problems: z.array(problem).optional() }
      : {}),
  });
}
