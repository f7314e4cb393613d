import * as xdr from '@stellar/stellar-sdk/xdr';
import { parseContractAddress } from '../../protocol/index.ts';
import { toSigner } from '../../protocol/smartAccount/index.ts';
import {
  connectRpc,
  fetchTransport,
  knownSigner,
  type PaymentSigner,
  webPlatform,
} from '../exact/index.ts';
import { PoliciesNotConfiguredError } from './errors.ts';
import { signControlProof } from './signControlProof.ts';
import { type SubmitCall, signWalletCall } from './walletCall.ts';
import type { PolicyAttach } from './walletPolicies.ts';

export interface OwnerAttachOptions {
  /** Signs as the account's owner: `passkeySigner(…)` asks for the passkey. */
  readonly owner: PaymentSigner;
  /** Address of a Stellar RPC server. */
  readonly rpcUrl: string;
  /** Submits calls that the owner signed: a relayer, or the app's own account. */
  readonly submit: SubmitCall;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

const NO_END = { expirationLedger: null, storage: 'Persistent' } as const;

/**
 * Attaches policies with `add_signer`. The authorization is built here and has no sub-invocations: a call that a policy's
 * contract makes in the wallet's name fails on the ledger.
 * @throws PoliciesNotConfiguredError if the owner does not sign for a smart account
 * @example with a smart account and its passkey
 * ```ts
 * import { createPolicyClient, ownerAttach, passkeySigner, signControlProof, USDC } from 'svc-x402-sdk';
 *
 * const rpcUrl = 'http://127.0.0.1:8000/rpc';
 * const owner = passkeySigner(wallet, keyId, askPasskey);
 * const gateway = createPolicyClient({ apiUrl: 'http://127.0.0.1:4021', network: 'stellar:testnet' });
 * const { id } = await gateway.generate({
 *   version: '1',
 *   type: 'spending_limit',
 *   owners: [wallet],
 *   spendingLimits: { weekly: [{ asset: USDC, amount: '5' }] }, // 5 USDC
 * });
 * const { contractId } = await gateway.simulate(id);
 * await gateway.deployInstance(id, await signControlProof(owner, contractId, { rpcUrl }));
 * const attached = await ownerAttach({ owner, rpcUrl, submit }).attachPolicy(contractId);
 * const hash = typeof attached === 'string' ? attached : attached.hash;
 * console.log((await gateway.record(id, hash)).contractId === contractId); // true
 * ```
 */
export function ownerAttach(options: OwnerAttachOptions): PolicyAttach {
  const { rpcUrl, submit } = options;
  const owner = knownSigner(options.owner);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const rpc = connectRpc(rpcUrl, fetchTransport(fetch));
  const platform = webPlatform(globalThis.crypto);
  const wallet = parseContractAddress(owner.address);
  if (wallet === undefined) {
    throw new PoliciesNotConfiguredError(`${owner.address} is not a smart account.`);
  }
  const add = async (signer: xdr.ScVal) =>
    submit(await signWalletCall(wallet, 'add_signer', [signer], { owner, rpc, platform }));
  return {
    attachPolicy(policyContractId) {
      const policy = parseContractAddress(policyContractId);
      if (policy === undefined) throw new TypeError(`${policyContractId} is not a contract (C…).`);
      return add(toSigner({ key: { kind: 'policy', policy }, grants: new Map(), ...NO_END }));
    },
    attachSigner: (signerXdr) => add(xdr.ScVal.fromXdr(signerXdr, 'base64')),
    proveControl: (policy) => signControlProof(options.owner, policy, { rpcUrl, fetch }),
  };
}
