import * as z from 'zod/mini';
import { oneLine, parseVisibleJson, STELLAR_TESTNET } from '../../protocol/index.ts';
import type {
  DefinitionProblem,
  DeployedInstance,
  GeneratedPolicy,
  PolicyDefinition,
  PolicySimulation,
  PolicyTemplate,
  RecordedPolicy,
  ValidationResult,
} from '../../protocol/policies/index.ts';
import { GatewayError, PoliciesNotConfiguredError } from './errors.ts';

export interface PolicyClientOptions {
  /** URL of the policy gateway. */
  readonly apiUrl: string;
  /** CAIP-2 id; only `stellar:testnet` is supported. */
  readonly network: string;
  /** Replaces the platform's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The gateway's six routes. Every method rejects with `GatewayError`. */
export interface PolicyClient {
  /** Returns the templates, with what enforces each. Does not need a wallet. */
  listTemplates(): Promise<readonly PolicyTemplate[]>;
  /** Returns all problems of a definition at once. */
  validate(definition: PolicyDefinition): Promise<ValidationResult>;
  /** Stores a definition at the gateway. Nothing is on the ledger yet. */
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  /** Returns the cost of the deployment, or why it would fail. Does not submit anything. */
  simulate(id: string): Promise<PolicySimulation>;
  /** @param proof that the caller controls the wallet, if the gateway requires it */
  deployInstance(id: string, proof?: string): Promise<DeployedInstance>;
  /** Reports an attach that is on the ledger to the gateway. */
  record(id: string, attachTxHash: string): Promise<RecordedPolicy>;
}

/** The members that this client itself uses; others are passed on. */
const SHAPES = {
  templates: z.looseObject({ templates: z.array(z.looseObject({ type: z.string() })) }),
  validation: z.looseObject({ valid: z.boolean(), problems: z.array(z.looseObject({})) }),
  generated: z.looseObject({ id: z.string(), wallet: z.string(), summary: z.looseObject({}) }),
  simulation: z.looseObject({ id: z.string(), deployable: z.boolean() }),
  deployed: z.looseObject({ id: z.string(), contractId: z.string() }),
  recorded: z.looseObject({
    id: z.string(),
    contractId: z.nullable(z.string()),
    attachTxHash: z.string(),
  }),
} as const;

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  fix: z.optional(z.string()),
  problems: z.optional(z.array(z.looseObject({ path: z.string(), message: z.string() }))),
});

/**
 * Creates a client of a policy gateway.
 * @throws PoliciesNotConfiguredError if `apiUrl` is not a URL or the network is not supported
 * @example with a smart account and its passkey
 * ```ts
 * import { createPolicyClient, type PolicyDefinition, USDC } from 'svc-x402-sdk';
 *
 * const gateway = createPolicyClient({ apiUrl: 'http://127.0.0.1:4021', network: 'stellar:testnet' });
 * console.log((await gateway.listTemplates()).length); // 4
 * const definition: PolicyDefinition = {
 *   version: '1',
 *   type: 'spending_limit',
 *   owners: [wallet],
 *   spendingLimits: { daily: [{ asset: USDC, amount: '5' }] }, // 5 USDC
 * };
 * console.log((await gateway.validate(definition)).valid); // true
 * const { id, summary } = await gateway.generate(definition);
 * console.log(summary.title); // …
 * console.log((await gateway.simulate(id)).deployable); // true
 * ```
 */
export function createPolicyClient(options: PolicyClientOptions): PolicyClient {
  const base = readUrl(options.apiUrl);
  if (options.network !== STELLAR_TESTNET) {
    throw new PoliciesNotConfiguredError(
      `Policies are deployed on ${STELLAR_TESTNET}, not on ${options.network}.`,
    );
  }
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);

  async function ask<T>(path: string, shape: z.ZodMiniType, body?: object): Promise<T> {
    // A gateway must not redirect its clients, for example to their own machine.
    const redirect = 'manual' as const;
    const request =
      body === undefined
        ? { redirect }
        : {
            redirect,
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          };
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}${path}`, request);
      text = await response.text();
    } catch (cause) {
      const message = `The policy gateway ${base} cannot be reached.`;
      throw new GatewayError('unreachable', 0, message, [], { cause });
    }
    const answer = parseVisibleJson(text);
    if (!response.ok) throw refusal(response.status, answer);
    if (!z.safeParse(shape, answer).success) {
      const message = `The policy gateway's answer to ${path} cannot be read.`;
      throw new GatewayError('bad_answer', response.status, message);
    }
    return answer as T;
  }
  const at = (id: string, route: string) => `/policies/${encodeURIComponent(id)}/${route}`;

  return {
    async listTemplates() {
      type Templates = { readonly templates: readonly PolicyTemplate[] };
      return (await ask<Templates>('/policies/templates', SHAPES.templates)).templates;
    },
    validate: (definition) => ask('/policies/validate', SHAPES.validation, definition),
    generate: (definition) => ask('/policies/generate', SHAPES.generated, definition),
    simulate: (id) => ask(at(id, 'simulate'), SHAPES.simulation, {}),
    deployInstance: (id, proof) =>
      ask(at(id, 'deploy-instance'), SHAPES.deployed, proof === undefined ? {} : { proof }),
    record: (id, attachTxHash) => ask('/policies/deploy', SHAPES.recorded, { id, attachTxHash }),
  };
}

function readUrl(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Reported below.
  }
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new PoliciesNotConfiguredError(`apiUrl ${JSON.stringify(text)} is not an http(s) URL.`);
  }
  return url.href.replace(/\/+$/, '');
}

function refusal(status: number, answer: unknown): GatewayError {
  const problem = z.safeParse(problemShape, answer);
  if (!problem.success) {
    return new GatewayError('bad_answer', status, `The policy gateway answered ${status}.`);
  }
  const { code, detail, fix, problems = [] } = problem.data;
  const places = problems.map(({ path, message }) => `${path}: ${message}`);
  const message = oneLine([detail, ...places, fix ?? ''].filter((part) => part !== '').join(' '));
  // A gateway of the same version wrote them.
  return new GatewayError(code, status, message, problems as unknown as DefinitionProblem[]);
}
