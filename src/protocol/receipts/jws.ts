import { canonicalJson, decodeJson, encodeJson } from '../mpp/index.ts';

/** The longest signed text that is read, in characters. */
const MAX_JWS = 16 * 1024;
const SIGNATURE_BYTES = 64;
const PART = /^[A-Za-z0-9_-]+$/;

/** Signs bytes with an Ed25519 key, and returns the 64 bytes of the signature (RFC 8032). */
export type Sign = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Whether an Ed25519 signature is right. In Node.js `verifyEd25519` of `machine`; in browsers WebCrypto has it. */
export type Verify = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

/** A key that signs offers and receipts. It is never the key of an account that holds money. */
export interface SigningKey {
  /** DID URL of the public key: `did:key:z6Mk…#z6Mk…` or `did:web:example.com#key`. */
  readonly kid: string;
  readonly sign: Sign;
}

/** A signed text, read but not verified. */
export interface Jws {
  readonly kid: string;
  /** A public key that the text carries beside `kid`; it proves nothing by itself. */
  readonly embedded: Uint8Array | undefined;
  readonly payload: unknown;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Why a text is no JWS that we read. */
export type JwsProblem =
  | 'not_jws'
  | 'too_long'
  | 'unreadable'
  | 'algorithm'
  | 'critical_header'
  | 'no_key'
  | 'embedded_key';

/** Signs the canonical JSON (RFC 8785) of a payload: a compact JWS (RFC 7515) with `EdDSA` (RFC 8037). */
export async function signJws(payload: unknown, { kid, sign }: SigningKey): Promise<string> {
  const head = `${encodeJson({ alg: 'EdDSA', kid })}.${encodeJson(payload)}`;
  const signature = await sign(new TextEncoder().encode(head));
  return `${head}.${toBase64url(signature)}`;
}

/**
 * Reads a compact JWS whose algorithm is Ed25519, and none other: `none`, HMAC and other curves are refused by name, as are headers
 * that a reader has to understand (`crit`) and keys from elsewhere (`jku`, `x5u`, `x5c`).
 */
export function readJws(text: unknown): Jws | JwsProblem {
  if (typeof text !== 'string') return 'not_jws';
  if (text.length > MAX_JWS) return 'too_long';
  const [head = '', body = '', tail = '', ...more] = text.split('.');
  if (more.length > 0 || ![head, body, tail].every((part) => PART.test(part))) return 'not_jws';
  const header = decodeJson(head);
  const payload = decodeJson(body);
  if (!isRecord(header) || !isRecord(payload)) return 'unreadable';
  // Two readers of one text must not see two values: a member that comes twice is not what its writer signed for others.
  if (!isWrittenOnce(head, header) || !isWrittenOnce(body, payload)) return 'unreadable';
  const { alg, kid, jwk } = header;
  if (alg !== 'EdDSA' && alg !== 'Ed25519') return 'algorithm';
  const others = ['crit', 'b64', 'jku', 'x5u', 'x5c', 'x5t'];
  if (others.some((name) => name in header)) return 'critical_header';
  if (typeof kid !== 'string' || kid === '') return 'no_key';
  const embedded = jwk === undefined ? undefined : keyOfJwk(jwk);
  if (jwk !== undefined && embedded === undefined) return 'embedded_key';
  const signature = fromBase64url(tail);
  if (signature?.length !== SIGNATURE_BYTES) return 'unreadable';
  return { kid, embedded, payload, signature, signed: new TextEncoder().encode(`${head}.${body}`) };
}

/** Returns the Ed25519 public key of a JWK (RFC 8037); `undefined` for other kinds, and for one with a secret in it. */
export function keyOfJwk(jwk: unknown): Uint8Array | undefined {
  if (!isRecord(jwk) || jwk['kty'] !== 'OKP' || jwk['crv'] !== 'Ed25519' || 'd' in jwk) {
    return undefined;
  }
  const key = typeof jwk['x'] === 'string' ? fromBase64url(jwk['x']) : undefined;
  return key?.length === 32 ? key : undefined;
}

/** Whether a part has each member once: of a member that comes twice, what was read has only the last. */
function isWrittenOnce(part: string, value: unknown): boolean {
  const text = new TextDecoder().decode(fromBase64url(part) ?? new Uint8Array());
  return membersIn(text) === membersIn(canonicalJson(value));
}

/** Number of members in a JSON text: of its strings, those before a colon. */
function membersIn(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the bytes of base64url without padding; `undefined` if another text has the same bytes, so that each has one text. */
function fromBase64url(text: string): Uint8Array | undefined {
  if (!PART.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return toBase64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
