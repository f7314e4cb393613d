import {
  type ContractAddress,
  decodeStrKey,
  parseAccountAddress,
  parseContractAddress,
} from '../../protocol/index.ts';
import type {
  AllowListDefinition,
  GeneratedPolicy,
  MultisigDefinition,
  PolicyDefinition,
  PolicySimulation,
  PolicyTemplate,
} from '../../protocol/policies/index.ts';
import { type SignerKey, toSigner } from '../../protocol/smartAccount/index.ts';
import { connectRpc, fetchTransport, webPlatform } from '../exact/index.ts';
import type { PolicyClient } from './createPolicyClient.ts';
import {
  AttachNotRecordedError,
  GatewayError,
  PoliciesNotConfiguredError,
  PolicyMismatchError,
} from './errors.ts';
import { verifyAddress } from './policyAddress.ts';
import { verifyPolicy } from './verifyPolicy.ts';

/** How the app attaches a policy: only the app can prompt the user. */
export interface PolicyAttach {
  /** Signs `addPolicy` with the passkey and submits it: the only prompt. Returns the hash. */
  attachPolicy(policyContractId: string): Promise<{ readonly hash: string } | string>;
  /**
   * Signs `add_signer` for a key with limits (base64 XDR of the `Signer`) and submits it: for `multisig` and
   * `allow_list`, which the account itself enforces.
   */
  attachSigner?(signerXdr: string): Promise<{ readonly hash: string } | string>;
  /** Reconnects the wallet without a prompt, before the attach. */
  resume?(keyId: string): Promise<unknown>;
  /**
   * Signs the authorization that shows control of the wallet, for gateways that require it
   * (docs/policies.md). Returns base64 XDR.
   */
  proveControl?(policyContractId: string): Promise<string>;
}

export interface DeployedPolicy {
  /** `null` if the account itself enforces it and nothing is deployed. */
  readonly contractId: string | null;
  /** Hash of the transaction that attached it. */
  readonly attachTxHash: string;
}

/** Operations on a wallet's policies (spec: SDK wallet handle). */
export interface WalletPolicies {
  /** The policy templates that the gateway offers. */
  listTemplates(): Promise<readonly PolicyTemplate[]>;
  /** Stores a definition at the gateway. Nothing is on the ledger yet. */
  generate(definition: PolicyDefinition): Promise<GeneratedPolicy>;
  /** What deploying the policy would do and consume. */
  simulate(id: string): Promise<PolicySimulation>;
  /**
   * Deploys the instance, compares its state on the ledger with the definition, lets the user attach it, and
   * records that. The definition is the one for which `generate` returned this id in this process, or the
   * second argument.
   * @throws PoliciesNotConfiguredError without `policyAttach`, PolicyMismatchError, GatewayError,
   *   AttachNotRecordedError if it is attached but was not recorded; errors of `policyAttach`
   */
  deploy(id: string, definition?: PolicyDefinition): Promise<DeployedPolicy>;
}

/** The request to the owner. */
interface Attaching {
  readonly contractId: string | null;
  run(): Promise<{ readonly hash: string } | string>;
}

/** The ledger might show the attach only a moment after the app has its hash. */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = 1_000;

export interface WalletPoliciesOptions {
  readonly client: PolicyClient;
  readonly attach: PolicyAttach | undefined;
  /** The Stellar RPC to read policies from before they are attached; without it, `deploy` throws. */
  readonly rpcUrl?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** The passkey's id, once the wallet is connected. */
  readonly keyId: () => string | undefined;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/**
 * Creates the operations on the policies of a wallet that is connected by the caller.
 * @example with a smart account and its passkey
 * ```ts
 * import { createPolicyClient, createWalletPolicies, ownerAttach, passkeySigner, USDC } from 'svc-x402-sdk';
 *
 * const rpcUrl = 'http://127.0.0.1:8000/rpc';
 * const owner = passkeySigner(wallet, keyId, askPasskey);
 * const policies = createWalletPolicies({
 *   client: createPolicyClient({ apiUrl: 'http://127.0.0.1:4021', network: 'stellar:testnet' }),
 *   attach: ownerAttach({ owner, rpcUrl, submit }),
 *   rpcUrl,
 *   keyId: () => undefined,
 * });
 * console.log((await policies.listTemplates()).map(({ type }) => type).includes('spending_limit')); // true
 * const { id } = await policies.generate({
 *   version: '1',
 *   type: 'spending_limit',
 *   owners: [wallet],
 *   spendingLimits: { monthly: [{ asset: USDC, amount: '5' }] }, // 5 USDC
 * });
 * console.log((await policies.simulate(id)).deployable); // true
 * const { contractId } = await policies.deploy(id); // one prompt
 * console.log(contractId); // C…
 * ```
 */
export function createWalletPolicies(options: WalletPoliciesOptions): WalletPolicies {
  const { client, attach, keyId, rpcUrl } = options;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const platform = webPlatform(globalThis.crypto);
  const rpc = rpcUrl === undefined ? undefined : connectRpc(rpcUrl, fetchTransport(fetch));
  const definitions = new Map<string, PolicyDefinition>();
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

  /** Deploys the contract, if there is one, and reads it from the ledger. */
  async function prepare(
    id: string,
    definition: PolicyDefinition,
    by: PolicyAttach,
  ): Promise<Attaching> {
    if (definition.type === 'multisig' || definition.type === 'allow_list') {
      const signer = limitedKey(definition);
      const attachSigner = by.attachSigner?.bind(by);
      if (attachSigner === undefined) {
        throw new PoliciesNotConfiguredError(
          `deploy() of ${definition.type} needs policyAttach.attachSigner: ownerAttach has one.`,
        );
      }
      return { contractId: null, run: () => attachSigner(signer) };
    }
    if (rpc === undefined) {
      throw new PoliciesNotConfiguredError(
        'deploy() needs rpcUrl: a policy is read from the ledger before it is attached.',
      );
    }
    const { contractId } = await deployInstance(id, client, by.proveControl?.bind(by));
    const contract = parseContractAddress(contractId);
    if (contract === undefined) throw new PolicyMismatchError(contractId, 'it is not a contract');
    const policy = await verifyPolicy(contract, definition, rpc);
    // The same definition is the same policy: this changes nothing, and returns the deployer.
    const generated = await client.generate(definition);
    await verifyAddress(policy, definition, generated, undefined, platform);
    return { contractId: contract, run: () => by.attachPolicy(contract) };
  }

  return {
    listTemplates: () => client.listTemplates(),
    async generate(definition) {
      const generated = await client.generate(definition);
      definitions.set(generated.id, definition);
      return generated;
    },
    simulate: (id) => client.simulate(id),
    async deploy(id, definition = definitions.get(id)) {
      if (attach === undefined) {
        throw new PoliciesNotConfiguredError(
          'deploy() needs policyAttach: only the app can ask the user for the passkey.',
        );
      }
      if (definition === undefined) {
        throw new PoliciesNotConfiguredError(
          `deploy() needs the definition of ${id}: generate it in this process, or pass it.`,
        );
      }
      const attaching = await prepare(id, definition, attach);
      const connected = keyId();
      if (connected !== undefined) await attach.resume?.(connected);
      const attached = await attaching.run();
      const attachTxHash = typeof attached === 'string' ? attached : attached.hash;
      const { contractId } = attaching;
      try {
        await record(id, attachTxHash);
      } catch (cause) {
        throw new AttachNotRecordedError(id, contractId ?? '', attachTxHash, cause);
      }
      return { contractId, attachTxHash };
    },
  };
}

/**
 * Lets the gateway deploy a policy's contract. Control of the wallet is proved only if the gateway requires
 * it, because that might prompt the user.
 */
export async function deployInstance(
  id: string,
  client: PolicyClient,
  prove: ((policyContractId: string) => Promise<string>) | undefined,
): Promise<{ readonly contractId: string }> {
  try {
    return await client.deployInstance(id);
  } catch (error) {
    const asked = error instanceof GatewayError && error.reason === 'proof_required';
    if (!asked || prove === undefined) throw error;
    const { contractId } = await client.simulate(id);
    return client.deployInstance(id, await prove(contractId));
  }
}

/**
 * Returns the key with the limits of a definition, as `add_signer` takes it; base64 XDR. It is built from the
 * definition alone: a gateway's version of it is not read.
 * @throws PoliciesNotConfiguredError for a malformed address
 */
function limitedKey(definition: MultisigDefinition | AllowListDefinition): string {
  const coSigners = definition.type === 'multisig' ? definition.coSigners : [];
  const approvers = coSigners.length === 0 ? null : coSigners.map(ed25519);
  const grants = new Map(definition.contracts.map((text) => [contract(text), approvers]));
  const key = ed25519(definition.signer);
  return toSigner({ key, grants, expirationLedger: null, storage: 'Persistent' }).toXdr('base64');
}

function ed25519(text: string): SignerKey {
  const account = parseAccountAddress(text);
  const publicKey = account && decodeStrKey('account', account);
  if (publicKey === undefined) throw new PoliciesNotConfiguredError(`${text} is not a key (G…).`);
  return { kind: 'ed25519', publicKey };
}

function contract(text: string): ContractAddress {
  const address = parseContractAddress(text);
  if (address === undefined)
    throw new PoliciesNotConfiguredError(`${text} is not a contract (C…).`);
  return address;
}
