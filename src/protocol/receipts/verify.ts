import {
  type OfferPayload,
  type PayloadProblem,
  type ReceiptPayload,
  readOfferPayload,
  readReceiptPayload,
  type SignedArtifact,
} from './artifacts.ts';
import {
  type JwsProblem,
  type OpenedJws,
  openJws,
  type ReceiptSigner,
  signJws,
  type VerifyingPorts,
} from './jws.ts';

/** Why an artifact is not what a buyer was promised. */
type MismatchProblem =
  | 'other_resource'
  | 'other_terms'
  | 'other_network'
  | 'other_payer'
  | 'other_transaction'
  | 'transaction_missing'
  | 'other_signer'
  | 'expired'
  | 'issued_in_future'
  | 'issued_before_payment'
  | 'replayed';

/** Why an offer or a receipt is refused. */
export type ReceiptProblem =
  | 'artifact_malformed'
  | 'format_unsupported'
  | JwsProblem
  | PayloadProblem
  | MismatchProblem;

/** What each reason says to a person. */
export const RECEIPT_PROBLEMS: Readonly<Record<ReceiptProblem, string>> = {
  artifact_malformed: 'It has members that an offer or a receipt does not have, or lacks some.',
  format_unsupported: 'It is not in the format jws.',
  jws_malformed: 'Its signature is not a JWS in compact form.',
  algorithm_unsupported: 'Its algorithm is not Ed25519 (EdDSA).',
  critical_header: 'It demands an extension of JWS that this version does not know.',
  kid_malformed: 'Its key is not named by a DID URL that can be read.',
  did_method_unsupported: 'Its key is named by a method other than did:key, did:jwk and did:web.',
  did_unresolved: 'The document of its did:web is needed to find its key.',
  key_not_in_document: 'The document of its did:web does not name this key for statements.',
  jwk_malformed: 'The key in its header is not a public Ed25519 key.',
  jwk_differs: 'The key in its header is not the one that its identifier names.',
  key_weak: 'Its key is one that fits many messages with one signature.',
  signature_invalid: 'Its signature was not made by this key for these words.',
  payload_malformed: 'The signed text is not a JSON object, or has a member twice.',
  version_unsupported: 'Its version is not 1.',
  member_missing: 'The signed text lacks a required member.',
  member_unknown: 'The signed text has a member that does not belong to it.',
  resource_url_malformed: 'The URL of its resource cannot be used.',
  network_malformed: 'Its network is not a CAIP-2 id.',
  asset_malformed: 'Its asset is not a contract.',
  address_malformed: 'Its account is not an address of its network.',
  amount_malformed: 'Its amount is not a number of atomic units.',
  time_malformed: 'Its time is not in seconds since 1970.',
  transaction_malformed: 'Its transaction is not a hash of its network.',
  scheme_malformed: 'Its scheme is not a name.',
  other_resource: 'It is for another resource.',
  other_terms: 'Its terms are not among those that the seller asked for.',
  other_network: 'It is for another network.',
  other_payer: 'It names another payer.',
  other_transaction: 'It names another transaction.',
  transaction_missing: 'It names no transaction.',
  other_signer: 'It was signed by another key than the offer.',
  expired: 'It was no longer valid.',
  issued_in_future: 'It was issued later than now.',
  issued_before_payment: 'It was issued before the payment.',
  replayed: 'It was already presented for another payment.',
};

/** Whether an artifact holds; a good one says who signed it. */
export type Verified<Payload> =
  | {
      readonly ok: true;
      readonly payload: Payload;
      readonly signer: Pick<OpenedJws, 'kid' | 'keyFrom' | 'publicKey'>;
    }
  | { readonly ok: false; readonly reason: ReceiptProblem };

/** Seconds by which clocks may differ. */
export const CLOCK_SKEW_SECONDS = 60;

/** Signs an offer. @param acceptIndex which of `accepts` it is for */
export function signOffer(
  terms: Omit<OfferPayload, 'version'>,
  signer: ReceiptSigner,
  acceptIndex: number,
): SignedArtifact {
  return { format: 'jws', acceptIndex, signature: signJws({ version: 1, ...terms }, signer) };
}

/** Signs a receipt. Do it once the payment has settled and the response is there. */
export function signReceipt(
  statement: Omit<ReceiptPayload, 'version'>,
  signer: ReceiptSigner,
): SignedArtifact {
  return { format: 'jws', signature: signJws({ version: 1, ...statement }, signer) };
}

function open<Payload extends object>(
  artifact: unknown,
  ports: VerifyingPorts,
  what: 'offer' | 'receipt',
  read: (members: OpenedJws['payload']) => Payload | PayloadProblem,
): Verified<Payload> {
  const refused = (reason: ReceiptProblem): Verified<Payload> => ({ ok: false, reason });
  if (typeof artifact !== 'object' || artifact === null) return refused('artifact_malformed');
  const { format, signature, acceptIndex, ...rest }: Readonly<Record<string, unknown>> = {
    ...artifact,
  };
  if (format !== 'jws') return refused('format_unsupported');
  const isIndex =
    what === 'offer' && typeof acceptIndex === 'number' && Number.isInteger(acceptIndex);
  if (typeof signature !== 'string' || Object.keys(rest).length > 0) {
    return refused('artifact_malformed');
  }
  if (acceptIndex !== undefined && (!isIndex || acceptIndex < 0)) {
    return refused('artifact_malformed');
  }
  const opened = openJws(signature, ports);
  if (typeof opened === 'string') return refused(opened);
  const payload = read(opened.payload);
  if (typeof payload === 'string') return refused(payload);
  const { kid, keyFrom, publicKey } = opened;
  return { ok: true, payload, signer: { kid, keyFrom, publicKey } };
}

/** The terms of one entry of `accepts`. */
export type OfferedTerms = Pick<OfferPayload, 'scheme' | 'network' | 'asset' | 'payTo' | 'amount'>;

/** What a buyer knows when it gets an offer. What is left out is not compared. */
export interface OfferExpectation {
  /** The `accepts` of the 402. An offer has to repeat one of them, whatever its index says. */
  readonly accepts?: readonly OfferedTerms[] | undefined;
  readonly resourceUrl?: string | undefined;
  /** In seconds: the offer has to be valid then. */
  readonly at?: number | undefined;
}

/** Verifies a signed offer, and compares it with what the buyer was asked for. Its `acceptIndex` is never believed. */
export function verifyOffer(
  artifact: unknown,
  expected: OfferExpectation,
  ports: VerifyingPorts,
): Verified<OfferPayload> {
  const offer = open(artifact, ports, 'offer', readOfferPayload);
  if (!offer.ok) return offer;
  const { resourceUrl, scheme, network, asset, payTo, amount, validUntil } = offer.payload;
  if (expected.resourceUrl !== undefined && resourceUrl !== expected.resourceUrl) {
    return { ok: false, reason: 'other_resource' };
  }
  const isSame = (terms: OfferedTerms): boolean =>
    terms.scheme === scheme &&
    terms.network === network &&
    terms.asset === asset &&
    terms.payTo === payTo &&
    terms.amount === amount;
  if (expected.accepts !== undefined && !expected.accepts.some(isSame)) {
    const hasNetwork = expected.accepts.some((terms) => terms.network === network);
    return { ok: false, reason: hasNetwork ? 'other_terms' : 'other_network' };
  }
  if (expected.at !== undefined && validUntil !== undefined && validUntil < expected.at) {
    return { ok: false, reason: 'expired' };
  }
  return offer;
}

/** What a buyer knows when it gets a receipt. What is left out is not compared. */
export interface ReceiptExpectation {
  readonly resourceUrl?: string | undefined;
  readonly network?: string | undefined;
  readonly payer?: string | undefined;
  /** The settlement's transaction. A receipt that names none is then refused: it would fit every payment. */
  readonly transaction?: string | undefined;
  /** The key of the offer that was accepted. */
  readonly signerKey?: Uint8Array | undefined;
  /** In seconds, when the payment was signed. */
  readonly paidAt?: number | undefined;
  /** In seconds. */
  readonly now?: number | undefined;
  /** Whether this JWS already came with another payment. */
  readonly isKnown?: ((signature: string) => boolean) | undefined;
}

/** Verifies a signed receipt, and compares it with the payment that it is for. */
export function verifyReceipt(
  artifact: unknown,
  expected: ReceiptExpectation,
  ports: VerifyingPorts,
): Verified<ReceiptPayload> {
  const receipt = open(artifact, ports, 'receipt', readReceiptPayload);
  if (!receipt.ok) return receipt;
  const reason = mismatch(receipt.payload, receipt.signer.publicKey, expected);
  if (reason !== undefined) return { ok: false, reason };
  const { signature }: { signature?: unknown } = { ...(artifact as object) };
  if (expected.isKnown?.(String(signature)) === true) return { ok: false, reason: 'replayed' };
  return receipt;
}

function mismatch(
  { network, resourceUrl, payer, issuedAt, transaction }: ReceiptPayload,
  key: Uint8Array,
  expected: ReceiptExpectation,
): MismatchProblem | undefined {
  const { signerKey, paidAt, now } = expected;
  const differs = (wanted: string | undefined, is: string | undefined): boolean =>
    wanted !== undefined && wanted !== is;
  if (differs(expected.network, network)) return 'other_network';
  if (differs(expected.resourceUrl, resourceUrl)) return 'other_resource';
  if (differs(expected.payer, payer)) return 'other_payer';
  if (expected.transaction !== undefined && transaction === undefined) return 'transaction_missing';
  if (differs(expected.transaction, transaction)) return 'other_transaction';
  if (signerKey !== undefined && !signerKey.every((byte, at) => byte === key[at])) {
    return 'other_signer';
  }
  if (now !== undefined && issuedAt > now + CLOCK_SKEW_SECONDS) return 'issued_in_future';
  if (paidAt !== undefined && issuedAt < paidAt - CLOCK_SKEW_SECONDS) {
    return 'issued_before_payment';
  }
  return undefined;
}
