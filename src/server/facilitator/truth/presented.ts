import { createHash, createPublicKey, verify } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type Carried, carriedBy, type SignedTransfer } from '../../../protocol/fate/index.ts';
import {
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
  TESTNET_PASSPHRASE,
} from '../../../protocol/index.ts';
import {
  type AuthorizationKey,
  addressBytes,
  addressCredentials,
  authorizationKey,
  authorizationPreimage,
  invokedContract,
  readUptoCall,
  type UptoCall,
  uptoAuthorizationKey,
} from '../../../protocol/stellar/index.ts';

/**
 * Whether the signer's own key has signed. It is `unchecked` where only the ledger can tell: for contracts, and for
 * accounts with other signers.
 */
export type SignatureVerdict = 'valid' | 'invalid' | 'unchecked';

/** The authorization in a payload, which identifies the payment whatever a seller requires. */
export interface PresentedAuthorization {
  readonly key: AuthorizationKey;
  readonly payer: StellarAddress;
  readonly signature: SignatureVerdict;
  /** What it pays for: the transfer that it authorizes, or the call of the contract that settles scheme `upto`. */
  readonly pays:
    | { readonly by: 'transfer'; readonly transfer: SignedTransfer }
    | {
        readonly by: 'upto';
        readonly call: UptoCall;
        readonly expirationLedger: number;
      };
}

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

function bytesOf(signature: xdr.ScVal, name: string): Uint8Array | undefined {
  if (signature.type !== 'scvMap') return undefined;
  const entry = signature.map?.find(
    ({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name,
  );
  return entry?.val.type === 'scvBytes' ? entry.val.bytes.value : undefined;
}

function isSignedBy(publicKey: Uint8Array, signature: Uint8Array, hash: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, hash, key, signature);
}

/** Judges the signature of an entry as the ledger does for an account with its own key alone (CAP-46-11). */
function judgeSignature({ entry, address, signed }: Carried): SignatureVerdict {
  if (!signed || address === undefined) return 'invalid';
  if (!isAccountAddress(address)) return 'unchecked';
  const value = addressCredentials(entry.credentials)?.signature;
  if (value?.type !== 'scvVec' || value.vec === null) return 'invalid';
  const owner = addressBytes(address);
  for (const one of value.vec) {
    const publicKey = bytesOf(one, 'public_key');
    const signature = bytesOf(one, 'signature');
    if (publicKey?.length !== 32 || signature?.length !== 64) return 'invalid';
    if (Buffer.compare(publicKey, owner) !== 0) continue;
    const hash = createHash('sha256').update(authorizationPreimage(entry, NETWORK_ID)).digest();
    return isSignedBy(publicKey, signature, hash) ? 'valid' : 'invalid';
  }
  return value.vec.length > 0 ? 'unchecked' : 'invalid';
}

/** Returns the call of `settle` that an entry authorizes; its signed form lacks the actual amount and the hook. */
function uptoCallOf({ entry }: Carried, contract: ContractAddress): UptoCall | undefined {
  const { function: root } = entry.rootInvocation;
  if (root.type !== 'sorobanAuthorizedFunctionTypeContractFn') return undefined;
  if (invokedContract(root.contractFn) !== contract) return undefined;
  const actualAmount = root.contractFn.args[3];
  if (actualAmount === undefined) return undefined;
  const args = [...root.contractFn.args, actualAmount, xdr.ScVal.scvVoid()];
  const read = readUptoCall(contract, new xdr.InvokeContractArgs({ ...root.contractFn, args }));
  return read.ok ? read.call : undefined;
}

function presentedBy(
  carried: Carried,
  uptoContract: ContractAddress | undefined,
): PresentedAuthorization | undefined {
  const { address, nonce, transfer } = carried;
  if (address === undefined) return undefined;
  const signature = judgeSignature(carried);
  if (transfer?.from === address) {
    const key = authorizationKey(address, nonce);
    return { key, payer: address, signature, pays: { by: 'transfer', transfer } };
  }
  const call = uptoContract === undefined ? undefined : uptoCallOf(carried, uptoContract);
  if (call?.from !== address) return undefined;
  const key = uptoAuthorizationKey(address, call.contract, call.nonce);
  const expirationLedger = Math.min(carried.expirationLedger, call.expirationLedger);
  return { key, payer: address, signature, pays: { by: 'upto', call, expirationLedger } };
}

/**
 * Reads the payer's authorization in an envelope, however little the rest of it is a payment.
 *
 * @param envelope base64 XDR
 * @param uptoContract the served contract of scheme `upto`
 * @returns `undefined` if there is none that could pay
 */
export function readPresented(
  envelope: unknown,
  uptoContract: ContractAddress | undefined,
): PresentedAuthorization | undefined {
  if (typeof envelope !== 'string') return undefined;
  const all = carriedBy(envelope).flatMap((one) => presentedBy(one, uptoContract) ?? []);
  return all.find(({ signature }) => signature !== 'invalid') ?? all[0];
}
