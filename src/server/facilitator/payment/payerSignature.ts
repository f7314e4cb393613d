import { createHash, createPublicKey, verify } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  isAccountAddress,
  type StellarAddress,
  TESTNET_PASSPHRASE,
} from '../../../protocol/index.ts';
import {
  addressBytes,
  addressCredentials,
  authorizationPreimage,
  type PlainTransfer,
} from '../../../protocol/stellar/index.ts';

/**
 * What the signatures of an authorization prove without the ledger. `valid`: the account's own key has signed. `invalid`: the
 * ledger refuses it, whatever the account's signers are. `unsigned`: it has no signature. `unchecked`: only the ledger shows
 * it, for contracts, and for signatures of keys that are not the account's own.
 */
export type SignatureVerdict = 'valid' | 'invalid' | 'unsigned' | 'unchecked';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** The ledger accepts no more signatures for an account (CAP-46-11). */
const MAX_SIGNATURES = 20;

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

/** Verifies each signature with the key that it names, as the ledger does (CAP-46-11). */
function judge(
  address: StellarAddress | undefined,
  value: xdr.ScVal,
  preimage: Uint8Array,
): SignatureVerdict {
  if (address === undefined) return 'invalid';
  if (value.type === 'scvVoid') return 'unsigned';
  if (!isAccountAddress(address)) return 'unchecked';
  const signatures = value.type === 'scvVec' ? (value.vec ?? []) : [];
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) return 'invalid';
  const owner = addressBytes(address);
  const hash = createHash('sha256').update(preimage).digest();
  let isOwn = false;
  for (const one of signatures) {
    const publicKey = bytesOf(one, 'public_key');
    const signature = bytesOf(one, 'signature');
    if (publicKey?.length !== 32 || signature?.length !== 64) return 'invalid';
    if (!isSignedBy(publicKey, signature, hash)) return 'invalid';
    isOwn ||= Buffer.compare(publicKey, owner) === 0;
  }
  return isOwn ? 'valid' : 'unchecked';
}

/** Judges the signatures of an entry with address credentials; any other is `unsigned`. */
export function judgeEntry(
  entry: xdr.SorobanAuthorizationEntry,
  address: StellarAddress | undefined,
): SignatureVerdict {
  const value = addressCredentials(entry.credentials)?.signature;
  if (value === undefined) return 'unsigned';
  return judge(address, value, authorizationPreimage(entry, NETWORK_ID));
}

/** The same for a transfer in its usual form, of which little has to be decoded. */
export function judgePlain({ authorization }: PlainTransfer): SignatureVerdict {
  const { address, signature, preimage } = authorization;
  return judge(address, xdr.ScVal.fromXdr(signature), preimage(NETWORK_ID));
}
