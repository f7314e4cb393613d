import { decodeBase64url, encodeBase64url, readObject } from './encoding.ts';

/** Bytes of a public Ed25519 key. */
export const KEY_BYTES = 32;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The multicodec of a public Ed25519 key, as an unsigned varint. */
const ED25519_CODEC = [0xed, 0x01] as const;
/** `z` and the base58 of 34 bytes that begin with this codec. */
const MULTIBASE_LENGTH = 48;

/** Encodes a key as `did:key` does: multibase `z`, base58 of codec and key. */
export function multibaseOf(publicKey: Uint8Array): string {
  let number = 0n;
  for (const byte of [...ED25519_CODEC, ...publicKey]) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = `${BASE58[Number(number % 58n)] ?? ''}${text}`;
  return `z${text}`;
}

/** Reads a key in multibase; `undefined` for anything else. */
export function keyInMultibase(text: string): Uint8Array | undefined {
  if (text.length !== MULTIBASE_LENGTH || !text.startsWith('z')) return undefined;
  let number = 0n;
  for (const letter of text.slice(1)) {
    const digit = BASE58.indexOf(letter);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  const bytes = new Uint8Array(ED25519_CODEC.length + KEY_BYTES);
  for (let at = bytes.length - 1; at >= 0; at -= 1, number >>= 8n)
    bytes[at] = Number(number & 255n);
  if (number > 0n || bytes[0] !== ED25519_CODEC[0] || bytes[1] !== ED25519_CODEC[1])
    return undefined;
  return bytes.slice(ED25519_CODEC.length);
}

/**
 * Returns the DID URL of a key by `did:key`, as a header's `kid` has it: anyone reads the key from it, without a network.
 * @param publicKey 32 bytes
 */
export function didKeyOf(publicKey: Uint8Array): string {
  const multibase = multibaseOf(publicKey);
  return `did:key:${multibase}#${multibase}`;
}

/** Reads the public Ed25519 key of a JWK. `undefined` for other keys, and for one with a private part, which nobody may send. */
export function keyInJwk(jwk: unknown): Uint8Array | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, crv, x, d }: Readonly<Record<string, unknown>> = { ...jwk };
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || d !== undefined) {
    return undefined;
  }
  const key = decodeBase64url(x);
  return key?.length === KEY_BYTES ? key : undefined;
}

/** Returns the public key as a JWK. */
export function jwkOf(publicKey: Uint8Array): Readonly<Record<'kty' | 'crv' | 'x', string>> {
  return { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(publicKey) };
}

/**
 * Returns the DID of an origin by `did:web`; its document is at `/.well-known/did.json` there.
 * @param origin such as `https://api.example.com`
 */
export function didWebOf(origin: string): string {
  return `did:web:${new URL(origin).host.replace(':', '%3A')}`;
}

/** Makes the document that an origin serves at `/.well-known/did.json`: it names the key as `#key-1`. */
export function didDocumentOf(
  origin: string,
  publicKey: Uint8Array,
): Readonly<Record<string, unknown>> {
  const id = didWebOf(origin);
  const name = `${id}#key-1`;
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    verificationMethod: [
      { id: name, type: 'JsonWebKey2020', controller: id, publicKeyJwk: jwkOf(publicKey) },
    ],
    assertionMethod: [name],
  };
}

/** Returns the key that a document of `did:web` names under a DID URL, if it is one for assertions and of that DID. */
export function keyInDocument(document: unknown, did: string, kid: string): Uint8Array | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { id, verificationMethod, assertionMethod }: Readonly<Record<string, unknown>> = {
    ...document,
  };
  if (id !== did || !Array.isArray(verificationMethod) || !Array.isArray(assertionMethod)) {
    return undefined;
  }
  if (!assertionMethod.includes(kid)) return undefined;
  const methods: readonly unknown[] = verificationMethod;
  const named = methods.filter(
    (method) =>
      typeof method === 'object' && method !== null && 'id' in method && method.id === kid,
  );
  const [method] = named;
  if (named.length !== 1 || typeof method !== 'object' || method === null) return undefined;
  const { publicKeyJwk, publicKeyMultibase, controller }: Readonly<Record<string, unknown>> = {
    ...method,
  };
  if (controller !== did) return undefined;
  if (publicKeyJwk !== undefined) return keyInJwk(publicKeyJwk);
  return typeof publicKeyMultibase === 'string' ? keyInMultibase(publicKeyMultibase) : undefined;
}

/** What a key's identifier gives. */
export type KeyOfKid =
  | { readonly found: true; readonly method: 'key' | 'jwk' | 'web'; readonly key: Uint8Array }
  /** Of `did:web`, and its document was not given. */
  | { readonly found: false; readonly problem: 'did_unresolved' }
  | { readonly found: false; readonly problem: 'kid_malformed' | 'did_method_unsupported' }
  /** The document was given, and does not name this key for assertions. */
  | { readonly found: false; readonly problem: 'key_not_in_document' };

/**
 * Reads the key of a `kid`: from `did:key` and `did:jwk` by itself, from `did:web` with the document of that DID.
 * @param documents documents of `did:web` by their DID, each as its own origin serves it
 */
export function readKid(kid: string, documents: Readonly<Record<string, unknown>> = {}): KeyOfKid {
  const [did = '', fragment, ...more] = kid.split('#');
  const [scheme, method, ...parts] = did.split(':');
  const [identifier = ''] = parts;
  const malformed = { found: false, problem: 'kid_malformed' } as const;
  if (scheme !== 'did' || identifier === '' || more.length > 0 || /[^\x21-\x7e]/.test(kid)) {
    return malformed;
  }
  switch (method) {
    case 'key': {
      const key = parts.length === 1 ? keyInMultibase(identifier) : undefined;
      if (key === undefined || (fragment !== undefined && fragment !== identifier))
        return malformed;
      return { found: true, method, key };
    }
    case 'jwk': {
      const key =
        parts.length === 1 ? keyInJwk(readObject(decodeBase64url(identifier))) : undefined;
      if (key === undefined || (fragment !== undefined && fragment !== '0')) return malformed;
      return { found: true, method, key };
    }
    case 'web': {
      if (fragment === undefined || fragment === '') return malformed;
      if (!Object.hasOwn(documents, did)) return { found: false, problem: 'did_unresolved' };
      const key = keyInDocument(documents[did], did, kid);
      return key === undefined
        ? { found: false, problem: 'key_not_in_document' }
        : { found: true, method, key };
    }
    default:
      return { found: false, problem: 'did_method_unsupported' };
  }
}
