import {
  type AccountAddress,
  type ContractAddress,
  decodeStrKey,
  parseAccountAddress,
  parseContractAddress,
  parseDecimalAmount,
  parseStellarAddress,
  USDC_CONTRACT,
  withoutUsdc,
} from '../../protocol/index.ts';
import {
  isPaymentCount,
  type LimitMember,
  MAX_PAYMENTS,
  type PolicyDefinition,
  WINDOW_SECONDS,
} from '../../protocol/policies/index.ts';
import type { Grants, Signer, SignerKey } from '../../protocol/smartAccount/index.ts';
import {
  connectRpc,
  fetchTransport,
  knownSigner,
  type PaymentSigner,
  webPlatform,
} from '../exact/index.ts';
import {
  decimalsOf,
  deployInstance,
  type LedgerPolicy,
  PoliciesNotConfiguredError,
  type PolicyClient,
  PolicyMismatchError,
  readPolicy,
  type SubmitCall,
  signControlProof,
  verifyAddress,
  verifyPolicy,
} from '../policies/index.ts';
import { type AgentBudget, readBudget } from './agentBudget.ts';
import { type AgentKey, makeAgentKey } from './agentKey.ts';
import { policiesOf, readKey, type StoredKey } from './agentSigner.ts';
import {
  type ChangeableLimit,
  changeLimits,
  hasLimits,
  isChangeable,
  type NewLimits,
} from './changeLimits.ts';
import { type ChangeParts, changeSigners } from './changeSigners.ts';

/** An agent's spending limits. */
export interface AgentLimits {
  /** Maximum per window for each asset: a decimal amount, such as `5`, or `5 USDC` if USDC is the only asset. */
  readonly budget: string;
  /** The window, which starts with its first payment. A month is 30 days. */
  readonly window: AgentWindow;
  /** Whether the window slides instead, so that no period of its length exceeds the budget. */
  readonly sliding?: boolean;
  /** Maximum number of payments per window. */
  readonly maxPayments?: number;
  /** Contracts of the assets. */
  readonly assets: readonly string[];
  /** Recipients that may be paid (`G…` or `C…`), at most 20; everyone if undefined. */
  readonly recipients?: readonly string[];
  /** Maximum per payment: an amount like the budget, which it must not exceed. */
  readonly perPayment?: string;
}

/** How long a budget lasts. */
export type AgentWindow = 'day' | 'week' | 'month';

export interface AgentGrant extends AgentLimits {
  /** When the key expires. Expiration is in ledgers, so the time can be off by some seconds per day. */
  readonly expires: Date;
  /** The agent's key (`G…`), if it was created elsewhere. Otherwise a new one is created. */
  readonly key?: string;
}

/** What the owner is about to sign, read from the ledger and not from a gateway. */
export interface AgentPlan {
  /** Public key of the agent (`G…`). */
  readonly agent: string;
  /** The policies, as read from the ledger. */
  readonly policies: readonly LedgerPolicy[];
  /** The last ledger in which the key is valid; `null` if it does not expire. */
  readonly expirationLedger: number | null;
}

export interface GrantedAgent {
  /** Public key of the agent (`G…`). */
  readonly agent: string;
  /** `S…` if the key was created here; otherwise `undefined`. */
  readonly secret: string | undefined;
  /** Contracts of the policies (`C…`). */
  readonly policies: readonly string[];
  /** The last ledger in which the key is valid; `null` if it does not expire. */
  readonly expirationLedger: number | null;
  /** Hashes of the transactions. */
  readonly transactions: readonly string[];
}

/** The state of an agent on the ledger. */
export interface AgentState {
  /** Public key of the agent (`G…`). */
  readonly agent: string;
  /** `owner`: nothing limits the key. `revoked`: the account does not have it. */
  readonly state: 'active' | 'expired' | 'revoked' | 'owner';
  /** The last ledger in which the key is valid; `null` if it does not expire. */
  readonly expirationLedger: number | null;
  /** One for each asset. */
  readonly budgets: readonly AgentBudget[];
}

/** Agent budgets. Each change needs one signature of the owner. */
export interface WalletAgents {
  /** Gives an agent a key whose budget the ledger enforces. */
  grant(grant: AgentGrant): Promise<GrantedAgent>;
  /** Reads the state of agents (`G…`) from the ledger. */
  list(agents: readonly string[]): Promise<readonly AgentState[]>;
  /** Replaces an agent's key; amounts already spent still count. */
  rotate(agent: string, options?: { readonly key?: string }): Promise<GrantedAgent>;
  /**
   * Replaces an agent's limits; amounts already spent still count. The policy's contract stays the same if it limits one asset
   * and can change. Other contracts are replaced, and the new ones start with nothing spent.
   */
  topUp(agent: string, limits: AgentLimits): Promise<GrantedAgent>;
  /** Removes an agent's key and its policies: from the next ledger on, it can do nothing. */
  revoke(agent: string): Promise<{ readonly transactions: readonly string[] }>;
}

export interface WalletAgentsOptions {
  /** The smart account. */
  readonly wallet: string;
  /** Signs as the account's owner: `passkeySigner(…)` asks for the passkey. */
  readonly owner: PaymentSigner;
  /** Deploys the policies' contracts. Its responses are checked against the ledger. */
  readonly client: PolicyClient;
  /** The account (`G…`) that the gateway deploys from, if you know it: policies from another deployer are refused. */
  readonly deployer?: string;
  /** Address of a Stellar RPC server. */
  readonly rpcUrl: string;
  /** Submits calls that the owner signed: a relayer, or the app's own account. */
  readonly submit: SubmitCall;
  /** Shows the owner what is about to be signed. Throw to stop. */
  readonly confirm?: (plan: AgentPlan) => void | Promise<void>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between two reads of the ledger. Default: a timer. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** The assumed duration of a ledger, in seconds. */
const SECONDS_PER_LEDGER = 5;
const LIMITS_OF: Readonly<Record<AgentWindow, LimitMember>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
};
const NO_GRANTS: Grants = new Map();

/**
 * Creates the operations on the budgets of a wallet's agents.
 * @throws PoliciesNotConfiguredError if the options are invalid
 * @example with a smart account and its passkey
 * ```ts
 * import { createPolicyClient, createWalletAgents, passkeySigner, USDC } from 'svc-x402-sdk';
 *
 * const agents = createWalletAgents({
 *   wallet, // the smart account (C…)
 *   owner: passkeySigner(wallet, keyId, askPasskey), // asks for the passkey: once for each change
 *   client: createPolicyClient({ apiUrl: 'http://127.0.0.1:4021', network: 'stellar:testnet' }),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   submit, // passes the signed call to a relayer
 * });
 * const limits = { window: 'day', assets: [USDC], perPayment: '0.01 USDC' } as const;
 * const expires = new Date(Date.now() + 30 * 86_400_000);
 * const { agent, secret } = await agents.grant({ ...limits, budget: '5 USDC', expires });
 * console.log(secret?.length); // 56
 * const [state] = await agents.list([agent]);
 * console.log(state?.budgets[0]?.left, 'USDC'); // 5 USDC
 * await agents.topUp(agent, { ...limits, budget: '10 USDC' });
 * const next = await agents.rotate(agent); // another key under the same budget
 * await agents.revoke(next.agent);
 * ```
 */
export function createWalletAgents(options: WalletAgentsOptions): WalletAgents {
  return new Agents(options);
}

class Agents implements WalletAgents {
  readonly #options: WalletAgentsOptions;
  readonly #parts: ChangeParts;

  constructor(options: WalletAgentsOptions) {
    const { submit, sleep = pause } = options;
    const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#options = options;
    this.#parts = {
      wallet: contractOf('wallet', options.wallet),
      owner: knownSigner(options.owner),
      rpc: connectRpc(options.rpcUrl, fetchTransport(fetch)),
      platform: webPlatform(globalThis.crypto),
      submit,
      sleep,
    };
  }

  async grant(grant: AgentGrant): Promise<GrantedAgent> {
    const limits = readLimits(grant);
    const { agent, secret } = await keyFor(grant.key);
    const { latestLedger, stored } = await this.#read(agent);
    if (stored !== undefined) throw malformed(`${agent} is already a key of the wallet`);
    const seconds = (grant.expires.getTime() - Date.now()) / 1000;
    if (!(seconds > SECONDS_PER_LEDGER)) throw malformed('expires must be in the future');
    const expirationLedger = latestLedger + Math.floor(seconds / SECONDS_PER_LEDGER);
    const policies = await this.#deploy(agent, limits);
    await this.#options.confirm?.({ agent, policies, expirationLedger });
    const add = signersFor(agent, policies, expirationLedger);
    const transactions = await changeSigners({ remove: [], add }, this.#parts);
    return granted(agent, secret, policies, expirationLedger, transactions);
  }

  async list(agents: readonly string[]): Promise<readonly AgentState[]> {
    const states: AgentState[] = [];
    for (const text of agents) states.push(await this.#state(accountOf(text)));
    return states;
  }

  async rotate(text: string, { key }: { readonly key?: string } = {}): Promise<GrantedAgent> {
    const old = accountOf(text);
    const stored = await this.#limited(old);
    const { agent, secret } = await keyFor(key);
    const { expirationLedger, grants } = stored;
    const policies = await this.#policies(stored);
    await this.#options.confirm?.({ agent, policies, expirationLedger });
    const add = [{ key: ed25519(agent), expirationLedger, grants, storage: 'Persistent' }] as const;
    const transactions = await changeSigners({ remove: [ed25519(old)], add }, this.#parts);
    return granted(agent, secret, policies, expirationLedger, transactions);
  }

  async topUp(text: string, given: AgentLimits): Promise<GrantedAgent> {
    const agent = accountOf(text);
    const limits = readLimits(given);
    const stored = await this.#limited(agent);
    const { expirationLedger } = stored;
    const old = policiesOf(stored);
    const changed = await this.#changed(stored, limits);
    if (changed !== undefined) {
      const { policy, next } = changed;
      const policies = [{ ...policy, ...next }];
      if (hasLimits(policy, next)) throw malformed('the agent already has these limits');
      await this.#options.confirm?.({ agent, policies, expirationLedger });
      const transactions = [await changeLimits(policy, next, this.#parts)];
      return granted(agent, undefined, policies, expirationLedger, transactions);
    }
    const policies = await this.#deploy(agent, limits);
    await this.#options.confirm?.({ agent, policies, expirationLedger });
    const kept = policies
      .map(({ contract }) => contract)
      .filter((one) => old.some((it) => it === one));
    if (kept.length > 0) throw malformed(`${kept.join(', ')} is the agent's current policy`);
    const remove = [ed25519(agent), ...old.map(policyKey)];
    const add = signersFor(agent, policies, expirationLedger);
    const transactions = await changeSigners({ remove, add }, this.#parts);
    return granted(agent, undefined, policies, expirationLedger, transactions);
  }

  async revoke(text: string): Promise<{ readonly transactions: readonly string[] }> {
    const agent = accountOf(text);
    const stored = await this.#limited(agent);
    const remove = [ed25519(agent), ...policiesOf(stored).map(policyKey)];
    return { transactions: await changeSigners({ remove, add: [] }, this.#parts) };
  }

  /** Deploys a policy for each asset through the gateway and reads it from the ledger. */
  async #deploy(
    agent: AccountAddress,
    { budget: amount, window, assets, ...others }: KnownLimits,
  ): Promise<readonly LedgerPolicy[]> {
    const { sliding, maxPayments, perPayment, recipients } = others;
    const { wallet, rpc, platform } = this.#parts;
    const { client, owner, rpcUrl, fetch, deployer } = this.#options;
    const policies: LedgerPolicy[] = [];
    for (const asset of assets) {
      const definition: PolicyDefinition = {
        version: '1',
        type: 'spending_limit',
        owners: [wallet],
        spendingLimits: { [LIMITS_OF[window]]: [{ asset, amount }] },
        ...(sliding === true ? { sliding } : {}),
        ...(maxPayments === undefined ? {} : { maxPayments }),
        ...(recipients === undefined ? {} : { recipients }),
        ...(perPayment === undefined ? {} : { perPayment }),
        agent,
      };
      const generated = await client.generate(definition);
      const { id } = generated;
      const prove = (policy: string) =>
        signControlProof(owner, policy, { rpcUrl, ...(fetch === undefined ? {} : { fetch }) });
      const { contractId } = await deployInstance(id, client, prove);
      const contract = parseContractAddress(contractId);
      if (contract === undefined) throw new PolicyMismatchError(contractId, 'it is not a contract');
      const policy = await verifyPolicy(contract, definition, rpc);
      await verifyAddress(policy, definition, generated, deployer, platform);
      policies.push(policy);
    }
    return policies;
  }

  /** Returns the only policy of a key and its new limits, if nothing else changes. */
  async #changed(
    stored: StoredKey,
    { budget, window, assets, ...others }: KnownLimits,
  ): Promise<{ readonly policy: ChangeableLimit; readonly next: NewLimits } | undefined> {
    const [asset, ...more] = assets;
    const [contract, ...further] = policiesOf(stored);
    if (asset === undefined || contract === undefined) return undefined;
    if (more.length > 0 || further.length > 0) return undefined;
    const policy = await readPolicy(contract, this.#parts.rpc).catch((error: unknown) => {
      // A policy of an unknown module is replaced.
      if (error instanceof PolicyMismatchError) return undefined;
      throw error;
    });
    if (!isChangeable(policy) || policy.asset !== asset) return undefined;
    if (policy.wallet !== this.#parts.wallet) return undefined;
    const decimals = await decimalsOf(asset, this.#parts.rpc);
    const amountOf = (name: string, text: string): bigint => {
      const amount = parseDecimalAmount(text, decimals);
      if (amount === undefined || amount === 0n) {
        throw malformed(`${name} ${text} is not an amount of ${asset} above zero`);
      }
      return amount;
    };
    const { perPayment, recipients, maxPayments, sliding = false } = others;
    const limit = amountOf('budget', budget);
    const most = perPayment === undefined ? undefined : amountOf('perPayment', perPayment);
    if (most !== undefined && most > limit) throw malformed('perPayment is more than the budget');
    const next = { limit, window: WINDOW_SECONDS[LIMITS_OF[window]], sliding, maxPayments };
    return { policy, next: { ...next, perPayment: most, recipients } };
  }

  async #state(agent: AccountAddress): Promise<AgentState> {
    const { latestLedger, stored } = await this.#read(agent);
    if (stored === undefined) {
      return { agent, state: 'revoked', expirationLedger: null, budgets: [] };
    }
    const { expirationLedger, grants } = stored;
    if (grants === null) return { agent, state: 'owner', expirationLedger, budgets: [] };
    const budgets: AgentBudget[] = [];
    for (const policy of await this.#policies(stored)) {
      if (policy.type === 'spending_limit') budgets.push(await readBudget(policy, this.#parts.rpc));
    }
    const state =
      expirationLedger !== null && latestLedger > expirationLedger ? 'expired' : 'active';
    return { agent, state, expirationLedger, budgets };
  }

  async #policies(stored: StoredKey): Promise<readonly LedgerPolicy[]> {
    const read = policiesOf(stored).map((policy) => readPolicy(policy, this.#parts.rpc));
    return Promise.all(read);
  }

  async #limited(agent: AccountAddress): Promise<StoredKey> {
    const { stored } = await this.#read(agent);
    if (stored === undefined) throw malformed(`${agent} is not a key of the wallet`);
    if (stored.grants === null) throw malformed(`${agent} is an owner of the wallet, not an agent`);
    return stored;
  }

  #read(agent: AccountAddress) {
    const { wallet, rpc } = this.#parts;
    return readKey(wallet, publicKeyOf(agent), rpc);
  }
}

/** Returns the policies, and the key that calls its assets within them. All expire together. */
function signersFor(
  agent: AccountAddress,
  policies: readonly LedgerPolicy[],
  expirationLedger: number | null,
): readonly Signer[] {
  const end = { expirationLedger, storage: 'Persistent' } as const;
  const grants = new Map<ContractAddress, readonly SignerKey[]>();
  for (const policy of policies) {
    if (policy.type !== 'spending_limit') continue;
    const approvers = [policyKey(policy.contract)];
    grants.set(policy.asset as ContractAddress, approvers);
    // A settlement moves one token, and each policy rejects settlements of other tokens.
    if (policies.length === 1 && policy.upto !== undefined) {
      grants.set(policy.upto as ContractAddress, approvers);
    }
  }
  const attached = policies.map(({ contract }) => ({
    key: policyKey(contract),
    grants: NO_GRANTS,
    ...end,
  }));
  return [...attached, { key: ed25519(agent), grants, ...end }];
}

function granted(
  agent: string,
  secret: string | undefined,
  policies: readonly LedgerPolicy[],
  expirationLedger: number | null,
  transactions: readonly string[],
): GrantedAgent {
  const contracts = policies.map(({ contract }) => contract);
  return { agent, secret, policies: contracts, expirationLedger, transactions };
}

async function keyFor(
  key: string | undefined,
): Promise<AgentKey | { agent: AccountAddress; secret: undefined }> {
  if (key !== undefined) return { agent: accountOf(key), secret: undefined };
  return makeAgentKey(globalThis.crypto);
}

/** Limits whose amounts are decimal numbers, and whose assets are contracts. */
type KnownLimits = AgentLimits & { readonly assets: readonly ContractAddress[] };

function readLimits(limits: AgentLimits): KnownLimits {
  const { budget, window, assets, recipients, perPayment = '' } = limits;
  const { sliding, maxPayments } = limits;
  if (sliding !== undefined && typeof sliding !== 'boolean')
    throw malformed('sliding is a boolean');
  if (maxPayments !== undefined && !isPaymentCount(maxPayments))
    throw malformed(`maxPayments is a whole number from 1 to ${MAX_PAYMENTS}`);
  if (!Object.hasOwn(LIMITS_OF, window)) throw malformed('window is "day", "week" or "month"');
  for (const [name, amount] of Object.entries({ budget, perPayment })) {
    if (typeof amount !== 'string')
      throw malformed(`${name} is a decimal amount in quotes, such as "5"`);
  }
  if (recipients !== undefined) {
    if (!Array.isArray(recipients) || recipients.length === 0)
      throw malformed('recipients is empty');
    for (const one of recipients) {
      if (typeof one !== 'string' || parseStellarAddress(one) === undefined)
        throw malformed(`recipients: ${one} is not an address (G… or C…)`);
    }
  }
  if (!Array.isArray(assets) || assets.length === 0) throw malformed('assets is empty');
  if (new Set(assets).size !== assets.length) throw malformed('assets contains a duplicate');
  const known = assets.map((asset) => contractOf('assets', asset));
  return {
    ...limits,
    assets: known,
    budget: numberOf('budget', budget, known),
    ...(limits.perPayment === undefined
      ? {}
      : { perPayment: numberOf('perPayment', perPayment, known) }),
  };
}

/** Reads an amount with or without the code USDC; with it, the asset has to be USDC. */
function numberOf(name: string, amount: string, assets: readonly ContractAddress[]): string {
  const number = withoutUsdc(amount);
  if (number !== amount && assets.some((asset) => asset !== USDC_CONTRACT)) {
    throw malformed(`${name} is in USDC, and assets names another asset`);
  }
  return number;
}

function contractOf(name: string, text: unknown): ContractAddress {
  const contract = typeof text === 'string' ? parseContractAddress(text) : undefined;
  if (contract === undefined) throw malformed(`${name}: ${text} is not a contract (C…)`);
  return contract;
}

function accountOf(text: unknown): AccountAddress {
  const account = typeof text === 'string' ? parseAccountAddress(text) : undefined;
  if (account === undefined) throw malformed(`${text} is not a key (G…)`);
  return account;
}

function publicKeyOf(account: AccountAddress): Uint8Array {
  return decodeStrKey('account', account) ?? new Uint8Array();
}

function ed25519(account: AccountAddress): SignerKey {
  return { kind: 'ed25519', publicKey: publicKeyOf(account) };
}

function policyKey(policy: string): SignerKey {
  return { kind: 'policy', policy: policy as ContractAddress };
}

function malformed(text: string): PoliciesNotConfiguredError {
  return new PoliciesNotConfiguredError(`${text}.`);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
