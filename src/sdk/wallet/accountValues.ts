import { parseContractAddress } from '../../protocol/index.ts';
import * as account from '../../protocol/smartAccount/index.ts';
import type { SorobanValue } from '../exact/index.ts';

/** The name of a signer of a smart account. */
export type SignerKey =
  | { readonly kind: 'policy'; readonly policy: string }
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array }
  /** A passkey, by the id of its credential. */
  | { readonly kind: 'secp256r1'; readonly keyId: Uint8Array };

/** The contracts that a limited signer may call, each with the signers that must also agree; `null`: none. */
export type Grants = ReadonlyMap<string, readonly SignerKey[] | null>;

/** A signer to add to a smart account or to update in it. */
export interface Signer {
  readonly key: SignerKey;
  /** A passkey's public key, 65 bytes uncompressed (SEC 1). */
  readonly publicKey?: Uint8Array;
  /** Last ledger in which it is valid; `null`: it does not expire. */
  readonly expirationLedger: number | null;
  /** `null`: an owner, which may do everything. */
  readonly grants: Grants | null;
  readonly storage: 'Persistent' | 'Temporary';
}

/**
 * Returns the value of `Signer` that the account's functions take.
 * @throws TypeError for an address that is not a contract
 * @example with a smart account and its passkey
 * ```ts
 * import { ownerAttach, passkeySigner, toSigner, USDC } from 'svc-x402-sdk';
 *
 * // A key that may call the USDC contract, without a policy that limits how much it spends.
 * const signer = toSigner({
 *   key: { kind: 'ed25519', publicKey },
 *   grants: new Map([[USDC, null]]),
 *   expirationLedger: null,
 *   storage: 'Persistent',
 * });
 * const owner = passkeySigner(wallet, keyId, askPasskey);
 * const attach = ownerAttach({ owner, rpcUrl: 'http://127.0.0.1:8000/rpc', submit });
 * await attach.attachSigner?.(btoa(String.fromCharCode(...signer.toXdr())));
 * ```
 */
export function toSigner(signer: Signer): SorobanValue {
  const { grants } = signer;
  const read = (approvers: readonly SignerKey[] | null) => approvers?.map(readKey) ?? null;
  return account.toSigner({
    ...signer,
    key: readKey(signer.key),
    grants:
      grants === null
        ? null
        : new Map([...grants].map(([contract, keys]) => [readContract(contract), read(keys)])),
  });
}

/**
 * Returns the value of `SignerKey` that the account's functions take.
 * @throws TypeError for a policy that is not a contract
 * @example with a smart account and its passkey
 * ```ts
 * import { toSignerKey } from 'svc-x402-sdk';
 *
 * // The argument of the account's function `remove_signer`.
 * const key = toSignerKey({ kind: 'secp256r1', keyId });
 * console.log(key.toXdr().length > 0); // true
 * ```
 */
export function toSignerKey(key: SignerKey): SorobanValue {
  return account.toSignerKey(readKey(key));
}

/**
 * Returns the signature of a smart account, as its `__check_auth` expects it.
 * @example with an agent that has a budget
 * ```ts
 * import { accountSignature, createX402Fetch, type PaymentSigner, USDC, usdc } from 'svc-x402-sdk';
 *
 * // An account that requires the signatures of several keys takes one part for each of them.
 * const signer: PaymentSigner = {
 *   address: wallet,
 *   sign: async ({ hash }) =>
 *     accountSignature([{ kind: 'ed25519', publicKey, signature: await sign(hash) }]),
 * };
 * const pay = createX402Fetch({
 *   signer,
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'),
 * });
 * console.log((await pay('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * ```
 */
export function accountSignature(parts: readonly account.SignerSignature[]): SorobanValue {
  return account.accountSignature(parts);
}

function readKey(key: SignerKey): account.SignerKey {
  return key.kind === 'policy' ? { kind: key.kind, policy: readContract(key.policy) } : key;
}

function readContract(text: string) {
  const contract = typeof text === 'string' ? parseContractAddress(text) : undefined;
  if (contract === undefined) throw new TypeError(`${text} is not a contract (C…).`);
  return contract;
}
