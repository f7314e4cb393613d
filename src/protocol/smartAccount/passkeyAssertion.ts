import type { SignerSignature } from './accountSignature.ts';

/** Order of the group of P-256 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** An authenticator's response (WebAuthn level 2, `AuthenticatorAssertionResponse`), in bytes. */
export interface PasskeyAssertion {
  /** As the browser returned it. */
  readonly authenticatorData: Uint8Array;
  /** As the browser returned it: UTF-8 of a JSON text. */
  readonly clientDataJSON: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function write(number: bigint, into: Uint8Array): void {
  let rest = number;
  for (let at = into.length - 1; at >= 0; at--, rest >>= 8n) into[at] = Number(rest & 0xffn);
}

/**
 * Converts an ECDSA signature in DER to r and s, 32 bytes each, s in the lower half: the ledger accepts
 * only that half, and an authenticator may return either.
 * @throws TypeError if the bytes are not such a signature
 */
export function compactSignature(der: Uint8Array): Uint8Array {
  let at = 0;
  const expect = (tag: number): number => {
    const length = der[at + 1];
    if (der[at] !== tag || length === undefined || length >= 0x80) {
      throw new TypeError('not an ECDSA signature in DER');
    }
    at += 2;
    return length;
  };
  const integer = (): bigint => {
    const length = expect(0x02);
    const bytes = der.subarray(at, at + length);
    at += length;
    const number = toNumber(bytes);
    if (bytes.length !== length || number <= 0n || number >= ORDER) {
      throw new TypeError('not an ECDSA signature of P-256');
    }
    return number;
  };
  const length = expect(0x30);
  if (length !== der.length - at) throw new TypeError('not an ECDSA signature in DER');
  const r = integer();
  const s = integer();
  if (at !== der.length) throw new TypeError('bytes behind an ECDSA signature');
  const compact = new Uint8Array(64);
  write(r, compact.subarray(0, 32));
  write(s > ORDER / 2n ? ORDER - s : s, compact.subarray(32));
  return compact;
}

/**
 * Builds a passkey's part of an account's signature. The challenge that the authenticator signed must be
 * the authorization's hash.
 * @throws TypeError if it is not a P-256 signature
 * @example with a smart account and its passkey
 * ```ts
 * import { accountSignature, type PaymentSigner, passkeySignature } from 'svc-x402-sdk';
 *
 * // What passkeySigner(wallet, keyId, askPasskey) returns.
 * const signer: PaymentSigner = {
 *   address: wallet,
 *   sign: async ({ hash }) => accountSignature([passkeySignature(keyId, await askPasskey(hash))]),
 * };
 * const hash = crypto.getRandomValues(new Uint8Array(32));
 * const signature = await signer.sign({ hash, preimage: hash, expirationLedger: 1 });
 * console.log(typeof signature); // object
 * ```
 */
export function passkeySignature(
  keyId: Uint8Array,
  { authenticatorData, clientDataJSON, signature }: PasskeyAssertion,
): SignerSignature {
  return {
    kind: 'secp256r1',
    keyId,
    authenticatorData,
    clientDataJson: clientDataJSON,
    signature: compactSignature(signature),
  };
}
