import {
  type ContractAddress,
  parseContractAddress,
  STELLAR_TESTNET,
} from '../../protocol/index.ts';
import { X402NotConfiguredError } from '../exact/index.ts';
import {
  createPolicyClient,
  createWalletPolicies,
  PoliciesNotConfiguredError,
  type PolicyAttach,
  type WalletPolicies,
} from '../policies/index.ts';
import { createX402Fetch, type X402FetchOptions } from './x402Fetch.ts';

/** The parts of a passkey kit that are used. `PasskeyKit` of `passkey-kit` is one. */
export interface PasskeyKit {
  /** Creates a passkey, and the transaction that deploys its smart account. */
  createWallet(
    app: string,
    user: string,
  ): Promise<{
    readonly contractId: string;
    readonly keyIdBase64: string;
    readonly signedTx: unknown;
  }>;
  /** Asks for the passkey of an existing account. */
  connectWallet(options?: {
    readonly keyId?: string;
  }): Promise<{ readonly contractId: string; readonly keyIdBase64: string }>;
}

/** The parts of asset contracts' clients that are used. `SACClient` of `passkey-kit` is one. */
export interface SacClients {
  /** A client of the asset's contract (`C…`). */
  getSACClient(asset: string): {
    balance(args: { readonly id: string }): Promise<{ readonly result: bigint }>;
  };
}

/** Submits transactions that the kit has signed. */
export interface WalletBackend {
  /** Submits a transaction of the kit and returns its hash. */
  submitTransaction(transaction: unknown): Promise<{ readonly hash: string }>;
}

export interface SvcWalletOptions {
  /** CAIP-2 id; only `stellar:testnet` is supported. */
  readonly network: string;
  /** The name shown in the passkey dialog. */
  readonly appName: string;
  /** An instance of passkey-kit. */
  readonly kit: PasskeyKit;
  /** Clients of asset contracts, from passkey-kit; needed to read balances. */
  readonly sac?: SacClients;
  /** Deploys new accounts; without it, `create()` throws. */
  readonly backend?: WalletBackend;
  /** A check in addition to the checksum of addresses, which is always checked. */
  readonly isValidAddress?: (address: string) => boolean;
  /** URL of the policy gateway; without it, `policies` throws. */
  readonly apiUrl?: string;
  /** Without it, `policies.deploy()` throws. */
  readonly policyAttach?: PolicyAttach;
  /** The Stellar RPC to read policies from before they are attached; if undefined, that of `x402`. */
  readonly rpcUrl?: string;
  /** Without it, `x402` throws. */
  readonly x402?: X402FetchOptions;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A connected smart account, and the id of the passkey it was connected with. */
export interface ConnectedWallet {
  /** The smart account. */
  readonly address: ContractAddress;
  /** Identifier of the passkey, in base64url. */
  readonly keyId: string;
}

export interface SvcWallet {
  /** The account; `undefined` before `create` or `connect`. */
  readonly address: ContractAddress | undefined;
  /** Creates an account for a new passkey and lets the backend deploy it. */
  create(userName: string): Promise<ConnectedWallet & { readonly hash: string }>;
  /** Connects an account by its passkey; without a prompt if the id is given. */
  connect(keyId?: string): Promise<ConnectedWallet>;
  /** Returns the account's balance of an asset in atomic units. */
  balance(asset: string): Promise<bigint>;
  /** @throws PoliciesNotConfiguredError without `apiUrl` */
  readonly policies: WalletPolicies;
  /** @throws X402NotConfiguredError without `x402` */
  readonly x402: { readonly fetch: typeof globalThis.fetch };
}

/**
 * Creates the handle of a wallet. Its options are checked immediately; a feature whose option is missing throws when it is
 * used.
 * @throws X402NotConfiguredError, PoliciesNotConfiguredError if an option is invalid
 * @example with a passkey kit
 * ```ts
 * import { createSvcWallet, ownerAttach, passkeySigner, USDC, usdc } from 'svc-x402-sdk';
 *
 * const rpcUrl = 'http://127.0.0.1:8000/rpc';
 * const owner = passkeySigner(wallet, keyId, askPasskey);
 * const svc = createSvcWallet({
 *   network: 'stellar:testnet',
 *   appName: 'Shop',
 *   kit, // a PasskeyKit of passkey-kit
 *   sac, // a SACClient of passkey-kit
 *   backend, // submits what the kit signed
 *   apiUrl: 'http://127.0.0.1:4021',
 *   rpcUrl,
 *   policyAttach: ownerAttach({ owner, rpcUrl, submit }),
 *   x402: { signer: owner, rpcUrl, allowedAssets: [USDC], maxAmount: usdc('0.01 USDC') },
 * });
 * await svc.create('Ada'); // later: await svc.connect()
 * console.log((await svc.balance(USDC)) === usdc('5 USDC')); // true
 * console.log((await svc.policies.listTemplates()).length); // 4
 * console.log((await svc.x402.fetch('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * await svc.connect();
 * ```
 */
export function createSvcWallet(options: SvcWalletOptions): SvcWallet {
  const { network, appName, kit, sac, backend, apiUrl, policyAttach: attach } = options;
  if (network !== STELLAR_TESTNET) {
    throw new X402NotConfiguredError(`Only ${STELLAR_TESTNET} is supported, not ${network}.`);
  }
  const ownFetch = options.fetch === undefined ? {} : { fetch: options.fetch };
  const rpcUrl = options.rpcUrl ?? options.x402?.rpcUrl;
  let connected: ConnectedWallet | undefined;
  const policies =
    apiUrl === undefined
      ? undefined
      : createWalletPolicies({
          client: createPolicyClient({ apiUrl, network, ...ownFetch }),
          attach,
          rpcUrl,
          ...ownFetch,
          keyId: () => connected?.keyId,
        });
  const x402 =
    options.x402 === undefined
      ? undefined
      : { fetch: createX402Fetch({ network, ...ownFetch, ...options.x402 }) };

  function take(contractId: string, keyId: string): ConnectedWallet {
    const address = parseContractAddress(contractId);
    if (address === undefined || options.isValidAddress?.(contractId) === false) {
      throw new TypeError(`${contractId} is not the address of a smart account.`);
    }
    connected = { address, keyId };
    return connected;
  }

  return {
    get address() {
      return connected?.address;
    },
    async create(userName) {
      if (backend === undefined) throw new TypeError('create() needs a backend that submits.');
      const { contractId, keyIdBase64, signedTx } = await kit.createWallet(appName, userName);
      const { hash } = await backend.submitTransaction(signedTx);
      return { ...take(contractId, keyIdBase64), hash };
    },
    async connect(keyId) {
      const found = await kit.connectWallet(keyId === undefined ? undefined : { keyId });
      return take(found.contractId, found.keyIdBase64);
    },
    async balance(asset) {
      if (sac === undefined) throw new TypeError('balance() needs sac.');
      if (connected === undefined) throw new TypeError('The wallet is not connected.');
      const { result } = await sac.getSACClient(asset).balance({ id: connected.address });
      return result;
    },
    get policies() {
      if (policies !== undefined) return policies;
      throw new PoliciesNotConfiguredError('Policies need apiUrl, the policy gateway.');
    },
    get x402() {
      if (x402 !== undefined) return x402;
      throw new X402NotConfiguredError('The wallet was created without the option x402.');
    },
  };
}
