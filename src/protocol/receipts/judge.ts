import { didKeyOf, keyOfDidKey, keyOfMultibase } from './didKey.ts';
import { isRecord, type JwsProblem, keyOfJwk, readJws, type Verify } from './jws.ts';
import {
  type OfferTerms,
  type ReceiptTerms,
  readOfferTerms,
  readReceiptTerms,
  type SignedText,
} from './offerReceipt.ts';

/** Why a signed text is not believed. */
export type Refusal =
  | JwsProblem
  /** The signature is not that of the key that the text names. */
  | 'signature'
  /** The key's kind is not read here, or its document does not have it. */
  | 'unknown_key'
  /** Signed by the key, but not in the form of version 1. */
  | 'form'
  | 'resource'
  | 'network'
  | 'scheme'
  | 'asset'
  | 'pay_to'
  | 'amount'
  | 'payer'
  | 'transaction'
  /** An offer after its end. */
  | 'expired'
  /** A receipt that was issued before the payment, or after now. */
  | 'time';

/** Why the key of a signed text may speak for an origin. */
export type Authority =
  /** The origin itself publishes the key, in `/.well-known/did.json`. */
  | { readonly of: 'origin'; readonly origin: string }
  /** Somebody named the key before, such as the seller's own configuration or an earlier visit of the same origin. */
  | { readonly of: 'known_key' }
  /** The key signed; that it belongs to the seller is not shown by anything. */
  | { readonly of: 'nobody' };

/** A signed text that is what its key signed. */
export interface Verified<Terms> {
  readonly refused?: undefined;
  readonly terms: Terms;
  readonly kid: string;
  readonly publicKey: Uint8Array;
  readonly authority: Authority;
}

export interface Refused {
  readonly refused: Refusal;
}

/** How keys are found and checked. */
export interface KeyRing {
  readonly verify: Verify;
  /** Public keys that are known to be the seller's. */
  readonly known?: readonly Uint8Array[];
  /**
   * Returns the DID document of a `did:web`, fetched from its origin; `undefined` if it cannot be had. Without it, texts that are
   * signed under `did:web` are not verified.
   */
  readonly document?: (did: string) => Promise<unknown>;
}

/** What a buyer knows of the sale, to judge its offer by: the 402's resource and the terms that it was about to pay. */
export type ExpectedOffer = Omit<OfferTerms, 'validUntil'> & {
  /** Seconds since 1970. */
  readonly now: number;
};

/** What a buyer knows of the sale, to judge its receipt by. */
export interface ExpectedReceipt {
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  /** Hash of the transaction that the ledger has; a receipt that says none says nothing about it. */
  readonly transaction: string | undefined;
  /** Seconds since 1970 when the payment was signed. */
  readonly paidAfter: number;
  readonly now: number;
}

/** Clocks of two machines differ; offers hold, and receipts are believed, this much longer. In seconds. */
const CLOCKS_DIFFER_S = 60;

/** Judges an offer by the terms that it stands beside. Each field is compared, and `acceptIndex` is not believed. */
export async function judgeOffer(
  offer: SignedText,
  expected: ExpectedOffer,
  ring: KeyRing,
): Promise<Verified<OfferTerms> | Refused> {
  const signed = await verifySigned(offer, readOfferTerms, ring);
  if (signed.refused !== undefined) return signed;
  const { terms } = signed;
  const refused = firstOf([
    ['resource', terms.resourceUrl === expected.resourceUrl],
    ['network', terms.network === expected.network],
    ['scheme', terms.scheme === expected.scheme],
    ['asset', terms.asset === expected.asset],
    ['pay_to', terms.payTo === expected.payTo],
    ['amount', terms.amount === expected.amount],
    ['expired', terms.validUntil === 0 || expected.now <= terms.validUntil + CLOCKS_DIFFER_S],
  ]);
  return refused === undefined ? signed : { refused };
}

/** Judges a receipt by the sale. It says that the seller confirms; whether money moved, only the ledger says. */
export async function judgeReceipt(
  receipt: SignedText,
  expected: ExpectedReceipt,
  ring: KeyRing,
): Promise<Verified<ReceiptTerms> | Refused> {
  const signed = await verifySigned(receipt, readReceiptTerms, ring);
  if (signed.refused !== undefined) return signed;
  const { terms } = signed;
  const { transaction } = terms;
  const refused = firstOf([
    ['resource', terms.resourceUrl === expected.resourceUrl],
    ['network', terms.network === expected.network],
    ['payer', terms.payer === expected.payer],
    ['transaction', transaction === undefined || transaction === expected.transaction],
    [
      'time',
      terms.issuedAt >= expected.paidAfter - CLOCKS_DIFFER_S &&
        terms.issuedAt <= expected.now + CLOCKS_DIFFER_S,
    ],
  ]);
  return refused === undefined ? signed : { refused };
}

function firstOf(rules: readonly (readonly [Refusal, boolean])[]): Refusal | undefined {
  return rules.find(([, holds]) => !holds)?.[0];
}

/** Verifies a signature, and reads what was signed. */
async function verifySigned<Terms extends { readonly resourceUrl: string }>(
  { signature: text }: SignedText,
  readTerms: (payload: unknown) => Terms | undefined,
  ring: KeyRing,
): Promise<Verified<Terms> | Refused> {
  const jws = readJws(text);
  if (typeof jws === 'string') return { refused: jws };
  const publicKey = await keyOf(jws.kid, ring);
  if (publicKey === undefined) return { refused: 'unknown_key' };
  if (jws.embedded !== undefined && !isSame(jws.embedded, publicKey)) {
    return { refused: 'embedded_key' };
  }
  if (isWeak(publicKey)) return { refused: 'unknown_key' };
  if (!(await ring.verify(publicKey, jws.signed, jws.signature))) return { refused: 'signature' };
  const terms = readTerms(jws.payload);
  if (terms === undefined) return { refused: 'form' };
  const authority = authorityOf(jws.kid, publicKey, terms.resourceUrl, ring);
  return { terms, kid: jws.kid, publicKey, authority };
}

/** Points of small order: under such a key, one signature fits many messages. Their y, with the sign bit left out, in hex. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function isWeak(publicKey: Uint8Array): boolean {
  const hex = [...publicKey].map((byte, at) => (at === 31 ? byte & 0x7f : byte));
  return SMALL_ORDER.has(hex.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** The public key that a DID URL names: from the DID itself, or from the document that its origin publishes. */
async function keyOf(kid: string, ring: KeyRing): Promise<Uint8Array | undefined> {
  const [did = '', fragment, ...more] = kid.split('#');
  if (more.length > 0) return undefined;
  if (did.startsWith('did:key:')) {
    // The fragment of a did:key repeats the key; another one would name another key.
    const isOther = fragment !== undefined && `did:key:${fragment}` !== did;
    return isOther ? undefined : keyOfDidKey(did);
  }
  if (originOfDidWeb(did) === undefined || ring.document === undefined) return undefined;
  return keyInDocument(await ring.document(did), did, fragment);
}

/** Returns the origin of a `did:web`, without a path: `https`, or `http` for this machine alone. */
export function originOfDidWeb(did: string): string | undefined {
  const named = /^did:web:([A-Za-z0-9.-]+(?:%3[Aa][0-9]{1,5})?)$/.exec(did)?.[1];
  if (named === undefined) return undefined;
  const host = decodeURIComponent(named);
  const isHere = /^(localhost|127\.0\.0\.1)(:|$)/.test(host);
  try {
    return new URL(`${isHere ? 'http' : 'https'}://${host}`).origin;
  } catch {
    return undefined;
  }
}

/** Returns the `did:web` of an origin. */
export function didWebOf(origin: string): string {
  return `did:web:${encodeURIComponent(new URL(origin).host)}`;
}

/** The DID document of a signing key, which its origin serves at `/.well-known/did.json`. */
export function didDocument(did: string, fragment: string, publicKey: Uint8Array): object {
  const id = `${did}#${fragment}`;
  const publicKeyMultibase = didKeyOf(publicKey).slice('did:key:'.length);
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [{ id, type: 'Multikey', controller: did, publicKeyMultibase }],
    assertionMethod: [id],
  };
}

/** The key of a DID document that its `kid` names; it has to be one that the document lets make assertions. */
function keyInDocument(
  document: unknown,
  did: string,
  fragment: string | undefined,
): Uint8Array | undefined {
  if (!isRecord(document) || document['id'] !== did || fragment === undefined) return undefined;
  const id = `${did}#${fragment}`;
  const isNamed = (name: unknown) => name === id || name === `#${fragment}`;
  const asserts = document['assertionMethod'];
  const methods = document['verificationMethod'];
  if (!Array.isArray(methods) || !Array.isArray(asserts) || !asserts.some(isNamed))
    return undefined;
  const named = methods.filter((method) => isRecord(method) && isNamed(method['id']));
  const method: unknown = named[0];
  // Two keys under one name: which one was meant is not said.
  if (named.length !== 1 || !isRecord(method) || method['controller'] !== did) return undefined;
  const { publicKeyMultibase: multibase, publicKeyJwk: jwk } = method;
  if (jwk !== undefined) return keyOfJwk(jwk);
  return typeof multibase === 'string' && multibase.startsWith('z')
    ? keyOfMultibase(multibase.slice(1))
    : undefined;
}

function authorityOf(
  kid: string,
  publicKey: Uint8Array,
  resourceUrl: string,
  { known = [] }: KeyRing,
): Authority {
  if (known.some((one) => isSame(one, publicKey))) return { of: 'known_key' };
  const origin = originOfDidWeb(kid.split('#')[0] ?? '');
  const isOwn =
    origin !== undefined && URL.canParse(resourceUrl) && new URL(resourceUrl).origin === origin;
  return isOwn ? { of: 'origin', origin } : { of: 'nobody' };
}
