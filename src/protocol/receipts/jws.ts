import { jwkOf, keyInJwk, readKid } from './did.ts';
import { decodeBase64url, encodeBase64url, readObject } from './encoding.ts';

/** A key that signs offers and receipts. Never an account's: that one can spend. */
export interface ReceiptSigner {
  /** DID URL of the key, such as `did:key:z6Mk…#z6Mk…`. */
  readonly kid: string;
  /** Returns the 64 bytes of an Ed25519 signature. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** Checks an Ed25519 signature. Comes from outside: Node, browsers and the Stellar SDK each have one. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  bytes: Uint8Array,
  signature: Uint8Array,
) => boolean;

/** What a verifier has besides the artifact. */
export interface VerifyingPorts {
  readonly verifyEd25519: VerifyEd25519;
  /** Documents of `did:web` by their DID, each as its own origin serves it. Default: none. */
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
}

/** Why a JWS is refused. */
export type JwsProblem =
  | 'jws_malformed'
  | 'algorithm_unsupported'
  | 'critical_header'
  | 'kid_malformed'
  | 'did_method_unsupported'
  | 'did_unresolved'
  | 'key_not_in_document'
  | 'jwk_malformed'
  | 'jwk_differs'
  | 'key_weak'
  | 'signature_invalid'
  | 'payload_malformed';

/** Characters of a JWS that is read. */
const MAX_JWS = 16 * 1024;
const SIGNATURE_BYTES = 64;

/** `EdDSA` is what the published packages write; RFC 9864 gives the same algorithm its own name. */
const ALGORITHMS: readonly unknown[] = ['EdDSA', 'Ed25519'];

/** The points of small order, in each way that they are written: one signature of such a key fits many messages. */
const WEAK_KEYS = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `${'00'.repeat(32)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

function isWeak(key: Uint8Array): boolean {
  const unsigned = [...key.slice(0, -1), (key.at(-1) ?? 0) & 0x7f];
  return WEAK_KEYS.includes(unsigned.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** Writes JSON of a flat object in its canonical form (RFC 8785). */
function canonicalMembers(members: object): string {
  const sorted = Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

/** Signs a flat object as a JWS in compact form. */
export function signJws(payload: object, { kid, sign }: ReceiptSigner): string {
  const encoder = new TextEncoder();
  const parts = [JSON.stringify({ alg: 'EdDSA', kid }), canonicalMembers(payload)];
  const input = parts.map((part) => encodeBase64url(encoder.encode(part))).join('.');
  return `${input}.${encodeBase64url(sign(encoder.encode(input)))}`;
}

/** A JWS whose signature is good. That says nothing yet about who the key belongs to. */
export interface OpenedJws {
  readonly kid: string;
  /** How the key was found. `jwk`: in the JWS itself, because its `did:web` has no document here. */
  readonly keyFrom: 'key' | 'jwk' | 'web' | 'unresolved';
  readonly publicKey: Uint8Array;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Opens a JWS in compact form: reads it strictly, finds its key and checks its signature. Never asks a network. */
export function openJws(jws: string, ports: VerifyingPorts): OpenedJws | JwsProblem {
  const parts = jws.length > MAX_JWS ? [] : jws.split('.');
  const [head, body, tail] = parts.map(decodeBase64url);
  if (parts.length !== 3 || head === undefined || body === undefined || tail === undefined) {
    return 'jws_malformed';
  }
  const header = readObject(head);
  if (header === undefined) return 'jws_malformed';
  const { alg, kid, jwk, crit, b64 } = header;
  if (!ALGORITHMS.includes(alg)) return 'algorithm_unsupported';
  // No extension of JWS is understood here, and one that is critical must then be refused (RFC 7515, section 4.1.11).
  if (crit !== undefined || b64 !== undefined) return 'critical_header';
  if (typeof kid !== 'string') return 'kid_malformed';
  const named = readKid(kid, ports.documents);
  const carried = jwk === undefined ? undefined : keyInJwk(jwk);
  if (jwk !== undefined && carried === undefined) return 'jwk_malformed';
  if (!named.found && (named.problem !== 'did_unresolved' || carried === undefined)) {
    return named.problem;
  }
  const publicKey = named.found ? named.key : carried;
  if (publicKey === undefined) return 'did_unresolved';
  if (carried !== undefined && jwkOf(carried).x !== jwkOf(publicKey).x) return 'jwk_differs';
  if (isWeak(publicKey)) return 'key_weak';
  if (tail.length !== SIGNATURE_BYTES) return 'signature_invalid';
  const input = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf('.')));
  if (!ports.verifyEd25519(publicKey, input, tail)) return 'signature_invalid';
  const payload = readObject(body);
  if (payload === undefined) return 'payload_malformed';
  return { kid, keyFrom: named.found ? named.method : 'unresolved', publicKey, payload };
}
