import type {
  GeneratedPolicy,
  PolicyDefinition,
  PolicySimulation,
  PolicyTemplate,
} from '../../protocol/policies/index.ts';
import type { PolicyClient } from './createPolicyClient.ts';
import { AttachNotRecordedError, GatewayError, PoliciesNotConfiguredError } from './errors.ts';

/** How a policy is attached: by the app, since only there the user can be prompted. */
export interface PolicyAttach {
  /** Signs `addPolicy` with the passkey and submits it: the one prompt. Gives the hash. */
  attachPolicy(policyContractId: string): Promise<{ readonly hash: string } | string>;
  /** Connects the wallet again without a prompt, before the attach. */
  resume?(keyId: string): Promise<unknown>;
  /**
   * Signs the authorization that shows control of the wallet, for gateways that ask for it
   * (docs/policies.md). Gives base64 XDR.
   */
  proveControl?(policyContractId: string): Promise<string>;
}

export interface DeployedPolicy {
  readonly contractId: string;
  readonly attachTxHash: string;
}

/** What a wallet does with policies (spec: SDK wallet handle). */
export interface WalletPolicies {
  listTemplates(): Promise<readonly PolicyTemplate[]>;
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  simulate(id: string): Promise<PolicySimulation>;
  /**
   * Deploys the instance, lets the user attach it, and records that.
   * @throws PoliciesNotConfiguredError without `policyAttach`, GatewayError,
   *   AttachNotRecordedError when it is attached and was not recorded; what `policyAttach` throws
   */
  deploy(id: string): Promise<DeployedPolicy>;
}

/** The ledger may show the attach a moment after the app has its hash. */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = 1_000;

export interface WalletPoliciesOptions {
  readonly client: PolicyClient;
  readonly attach: PolicyAttach | undefined;
  /** The passkey's id, once the wallet is connected. */
  readonly keyId: () => string | undefined;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export function createWalletPolicies(options: WalletPoliciesOptions): WalletPolicies {
  const { client, attach, keyId } = options;
  const sleep =
    options.sleep ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));

  async function record(id: string, attachTxHash: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.record(id, attachTxHash);
        return;
      } catch (error) {
        const passing =
          error instanceof GatewayError &&
          (error.reason === 'attach_not_seen' || error.status === 0 || error.status === 503);
        if (!passing || attempt >= RECORD_ATTEMPTS) throw error;
        await sleep(RECORD_PAUSE_MS);
      }
    }
  }

  return {
    listTemplates: () => client.listTemplates(),
    generate: (definition) => client.generate(definition),
    simulate: (id) => client.simulate(id),
    async deploy(id) {
      if (attach === undefined) {
        throw new PoliciesNotConfiguredError(
          'deploy() needs policyAttach: only the app can ask the user for the passkey.',
        );
      }
      const { contractId } = await deployInstance(id, client, attach);
      const connected = keyId();
      if (connected !== undefined) await attach.resume?.(connected);
      const attached = await attach.attachPolicy(contractId);
      const attachTxHash = typeof attached === 'string' ? attached : attached.hash;
      try {
        await record(id, attachTxHash);
      } catch (cause) {
        throw new AttachNotRecordedError(id, contractId, attachTxHash, cause);
      }
      return { contractId, attachTxHash };
    },
  };
}

/** Shows control only where the gateway asks for it: it may take a prompt. */
async function deployInstance(id: string, client: PolicyClient, attach: PolicyAttach) {
  try {
    return await client.deployInstance(id);
  } catch (error) {
    const asked = error instanceof GatewayError && error.reason === 'proof_required';
    if (!asked || attach.proveControl === undefined) throw error;
    const { contractId } = await client.simulate(id);
    return client.deployInstance(id, await attach.proveControl(contractId));
  }
}
