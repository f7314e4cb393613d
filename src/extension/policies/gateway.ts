import * as z from 'zod/mini';
import type {
  GeneratedPolicy,
  PolicyDefinition,
  PolicySimulation,
  PolicyTemplate,
  ReconciledPolicyRecord,
  ValidationResult,
} from '../../protocol/policies/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { callService } from './serviceCall.ts';

/** A policy gateway, accessed over the extension's own HTTP client. Every method rejects with `ServiceRefusal`. */
export interface Gateway {
  templates(): Promise<readonly PolicyTemplate[]>;
  /** Everything that is wrong with a definition. */
  validate(definition: PolicyDefinition): Promise<ValidationResult>;
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  deployInstance(id: string): Promise<void>;
  ofWallet(wallet: string, signal?: AbortSignal): Promise<readonly ReconciledPolicyRecord[]>;
}

/** The members that the editor relies on; the gateway's own types define the rest. */
const contract = z.nullable(z.looseObject({ contractId: z.string(), wasmHash: z.string() }));
const policy = z.looseObject({
  id: z.string(),
  type: z.string(),
  wallet: z.string(),
  state: z.string(),
  enforcementLabel: z.string(),
  contract,
  attach: z.looseObject({ signerXdr: z.string() }),
  grantOn: z.array(z.string()),
  summary: z.looseObject({
    title: z.string(),
    prevents: z.array(z.string()),
    doesNotPrevent: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
});
const SHAPES = {
  templates: z.looseObject({
    templates: z.array(
      z.looseObject({
        type: z.string(),
        title: z.string(),
        description: z.string(),
        enforcementLabel: z.string(),
        enforcement: z.looseObject({ kind: z.string() }),
      }),
    ),
  }),
  validation: z.looseObject({
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })),
  }),
  simulation: z.looseObject({
    deployable: z.boolean(),
    alreadyDeployed: z.boolean(),
    errors: z.array(z.looseObject({ message: z.string() })),
    cost: z.nullable(z.looseObject({ total: z.string() })),
  }),
  deployed: z.looseObject({ contractId: z.string() }),
  ofWallet: z.looseObject({
    policies: z.array(
      z.looseObject({
        policy,
        deployTxHash: z.nullable(z.string()),
        attachTxHash: z.nullable(z.string()),
        ledger: z.nullish(z.looseObject({ account: z.string() })),
      }),
    ),
  }),
} as const;

/** Creates a client for the gateway at a URL; nothing is sent until a method is called. */
export function connectGateway(url: string, transport: HttpTransport): Gateway {
  async function ask<T>(
    method: 'GET' | 'POST',
    path: string,
    shape: z.ZodMiniType,
    body?: object,
    signal?: AbortSignal,
  ): Promise<T> {
    const request = { method, url: `${url}${path}`, signal, ...(body ? { body } : {}) };
    // The members that the editor relies on have been checked.
    return (await callService(transport, request, shape)) as T;
  }
  const at = (id: string, route: string) => `/policies/${encodeURIComponent(id)}/${route}`;
  return {
    async templates() {
      type Answer = { readonly templates: readonly PolicyTemplate[] };
      return (await ask<Answer>('GET', '/policies/templates', SHAPES.templates)).templates;
    },
    validate: (definition) => ask('POST', '/policies/validate', SHAPES.validation, definition),
    generate: (definition) => ask('POST', '/policies/generate', policy, definition),
    simulate: (id) => ask('POST', at(id, 'simulate'), SHAPES.simulation, {}),
    async deployInstance(id) {
      await ask('POST', at(id, 'deploy-instance'), SHAPES.deployed, {});
    },
    async ofWallet(wallet, signal) {
      type Answer = { readonly policies: readonly ReconciledPolicyRecord[] };
      const path = `/policies/wallets/${wallet}`;
      return (await ask<Answer>('GET', path, SHAPES.ofWallet, undefined, signal)).policies;
    },
  };
}
