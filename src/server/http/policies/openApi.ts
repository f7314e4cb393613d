import { z } from 'zod';
import { POLICY_ERRORS, type PolicyErrorCode } from '../../policies/index.ts';
import { PROBLEM_TYPE } from './problemDetails.ts';
import { POLICY_ROUTES } from './routes.ts';
import {
  definitionSchema,
  deployBody,
  deployedSchema,
  generatedSchema,
  problemSchema,
  recordBody,
  recordedSchema,
  simulationSchema,
  templatesSchema,
  validationSchema,
  walletPoliciesSchema,
} from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;
type Name = (typeof POLICY_ROUTES)[number]['name'];

interface Described {
  readonly summary: string;
  readonly takes?: z.ZodType;
  readonly answers: z.ZodType;
  readonly refuses: readonly PolicyErrorCode[];
}

const OF_BODIES = ['invalid_json', 'body_too_large'] as const;
const OF_STORE = ['policy_not_found', 'store_unavailable', 'ledger_unavailable'] as const;
const OF_DEPLOYMENT = ['nothing_to_deploy', 'deployment_failed', 'sponsor_balance_low'] as const;

const DESCRIBED: Readonly<Record<Name, Described>> = {
  templates: {
    summary: 'Lists the templates and what enforces each one.',
    answers: templatesSchema,
    refuses: [],
  },
  validate: {
    summary: 'Reports all problems of a definition.',
    takes: definitionSchema,
    answers: validationSchema,
    refuses: OF_BODIES,
  },
  generate: {
    summary:
      'Generates what can be deployed and signed for a definition. Repeating the request gives the same result.',
    takes: definitionSchema,
    answers: generatedSchema,
    refuses: [
      ...OF_BODIES,
      'invalid_definition',
      'store_unavailable',
      'ledger_unavailable',
      'deployment_failed',
      'sponsor_balance_low',
    ],
  },
  simulate: {
    summary: 'Reports what the deployment would cost, or why it would fail. Submits nothing.',
    answers: simulationSchema,
    refuses: [...OF_STORE, 'nothing_to_deploy'],
  },
  deployInstance: {
    summary:
      "Deploys the contract at the sponsor's expense. Repeating the request continues an interrupted deployment and extends the entries that payments need.",
    takes: deployBody,
    answers: deployedSchema,
    refuses: [
      ...OF_BODIES,
      ...OF_STORE,
      ...OF_DEPLOYMENT,
      'invalid_request',
      'wallet_not_found',
      'proof_required',
      'proof_invalid',
      'wallet_rate_limited',
      'gateway_rate_limited',
    ],
  },
  record: {
    summary: 'Records an attachment that is on the ledger.',
    takes: recordBody,
    answers: recordedSchema,
    refuses: [
      ...OF_BODIES,
      ...OF_STORE,
      'invalid_request',
      'nothing_to_deploy',
      'not_deployed',
      'attach_not_seen',
      'attach_mismatch',
    ],
  },
  ofWallet: {
    summary:
      'Lists the policies that a wallet itself requested, newest first, with their state on the ledger. Query: limit (1 to 100, default 20), offset.',
    answers: walletPoliciesSchema,
    refuses: ['invalid_request', 'ledger_unavailable', 'store_unavailable'],
  },
};

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // JSON Schema 2020-12 cannot express an empty tuple.
      if (jsonSchema.prefixItems?.length !== 0) return;
      delete jsonSchema.prefixItems;
      jsonSchema.maxItems = 0;
    },
  });
  return json;
}

function operationOf(name: Name, path: string): Json {
  const { summary, takes, answers, refuses } = DESCRIBED[name];
  const statuses = new Set(refuses.map((code) => POLICY_ERRORS[code].status));
  const failures = [...statuses]
    .sort((a, b) => a - b)
    .map((status): [number, Json] => [
      status,
      {
        description: refuses
          .filter((code) => POLICY_ERRORS[code].status === status)
          .map((code) => POLICY_ERRORS[code].title)
          .join('; '),
        content: { [PROBLEM_TYPE]: { schema: schemaOf(problemSchema(status)) } },
      },
    ]);
  const body = takes && { content: { 'application/json': { schema: schemaOf(takes) } } };
  return {
    operationId: `policies_${name}`,
    summary,
    ...(path.includes(':id')
      ? { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] }
      : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: name !== 'deployInstance', ...body } }),
    responses: {
      200: {
        description: 'As asked',
        content: { 'application/json': { schema: schemaOf(answers) } },
      },
      ...Object.fromEntries(failures),
    },
  };
}

/** The routes of the policy gateway as paths of an OpenAPI document. */
export function policyPaths(): Json {
  return Object.fromEntries(
    POLICY_ROUTES.map(({ path, method, name }) => [
      path.replace(':id', '{id}'),
      { [method.toLowerCase()]: operationOf(name, path) },
    ]),
  );
}
