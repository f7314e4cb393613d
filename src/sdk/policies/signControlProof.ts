import {
  type ContractAddress,
  isAccountAddress,
  parseContractAddress,
  TESTNET_PASSPHRASE,
} from '../../protocol/index.ts';
import { controlInvocation } from '../../protocol/policies/index.ts';
import {
  connectRpc,
  fetchTransport,
  freshNonce,
  knownSigner,
  type PaymentSigner,
  signAuthorization,
  webPlatform,
} from '../exact/index.ts';

export interface ControlProofOptions {
  /** The Stellar RPC that returns the latest ledger. */
  readonly rpcUrl: string;
  /** Replaces the platform's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Number of ledgers in which the proof is valid: some minutes. */
const LIFE_LEDGERS = 60;

/**
 * Signs a proof for a gateway that the caller controls a wallet, for `policyAttach.proveControl`. The
 * signer is an owner of the wallet: a passkey prompts the user.
 * @returns base64 XDR
 * @throws TypeError if signer or policy is not a contract, RpcFailedError
 * @example with a smart account and its passkey
 * ```ts
 * import { createPolicyClient, passkeySigner, signControlProof, USDC } from 'svc-x402-sdk';
 *
 * const gateway = createPolicyClient({ apiUrl: 'http://127.0.0.1:4021', network: 'stellar:testnet' });
 * const { id } = await gateway.generate({
 *   version: '1',
 *   type: 'spending_limit',
 *   owners: [wallet],
 *   spendingLimits: { daily: [{ asset: USDC, amount: '5' }] }, // 5 USDC
 * });
 * const owner = passkeySigner(wallet, keyId, askPasskey);
 * const { contractId } = await gateway.simulate(id);
 * const proof = await signControlProof(owner, contractId, { rpcUrl: 'http://127.0.0.1:8000/rpc' });
 * const deployed = await gateway.deployInstance(id, proof);
 * console.log(deployed.contractId === contractId); // true
 * ```
 */
export async function signControlProof(
  signer: PaymentSigner,
  policyContractId: string,
  options: ControlProofOptions,
): Promise<string> {
  const policy = parseContractAddress(policyContractId);
  if (policy === undefined) throw new TypeError(`${policyContractId} is not a contract.`);
  const owner = knownSigner(signer);
  if (isAccountAddress(owner.address)) {
    throw new TypeError(`${owner.address} is not a smart account.`);
  }
  const wallet: ContractAddress = owner.address;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const latest = await connectRpc(options.rpcUrl, fetchTransport(fetch)).latestLedger();
  const platform = webPlatform(globalThis.crypto);
  const entry = await signAuthorization(
    {
      kind: 'address',
      nonce: freshNonce(platform),
      expirationLedger: latest + LIFE_LEDGERS,
      invocation: controlInvocation(wallet, policy),
    },
    owner,
    TESTNET_PASSPHRASE,
    platform,
  );
  return entry.toXdr('base64');
}
