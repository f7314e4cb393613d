import { createHash } from 'node:crypto';
import type { FacilitatorRequest, PaymentPayload } from '../../../protocol/wire/index.ts';

/**
 * Digests begin with their version. Version 0.4.0 wrote them without one, as base64, over the payload and the requirements
 * alone; the records that it left are compared with that digest.
 */
const VERSION = '2';

/** A recorded request: its digest, and the request itself until its answer is delivered. */
interface RecordedRequest {
  readonly digest: string;
  readonly request: FacilitatorRequest | undefined;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

/** Returns a nested member of a value from outside; `undefined` if there is none. */
function memberOf(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/**
 * What is bought, as the payload names it: URL, method and tool. The other members of `resource` and of the extensions
 * describe it, and may change between two presentations of one payment.
 */
function boughtBy({ resource, extensions }: PaymentPayload): readonly unknown[] {
  return [
    memberOf(resource, 'url') ?? null,
    memberOf(resource, 'method') ?? null,
    memberOf(extensions, 'bazaar', 'info', 'input', 'method') ?? null,
    memberOf(extensions, 'bazaar', 'info', 'input', 'toolName') ?? null,
  ];
}

/** What the seller itself says about the sale, which terms with another amount repeat. */
function declaredBy({ paymentRequirements: { extra } }: FacilitatorRequest): unknown {
  return extra?.['payment-identifier'] ?? null;
}

/** A digest of the payment and what it is for, whatever amount of it is settled. */
function saleDigest(request: FacilitatorRequest): string {
  const { paymentPayload } = request;
  return hashOf([paymentPayload.payload, boughtBy(paymentPayload), declaredBy(request)]);
}

/** The digest of version 0.4.0. */
function firstDigest({ paymentPayload, paymentRequirements }: FacilitatorRequest): string {
  return hashOf([paymentPayload.payload, paymentRequirements]);
}

/**
 * Returns a digest of a request, which is equal for identical requests: the same payload, the same requirements, and the same
 * resource. It has two parts, because scheme `upto` settles other requirements than it verifies.
 */
export function requestDigest(request: FacilitatorRequest): string {
  return [VERSION, saleDigest(request), hashOf(request.paymentRequirements)].join(':');
}

/** Returns the parts of a digest; `undefined` for one of version 0.4.0. */
function partsOf(digest: string): { readonly sale: string } | undefined {
  const [version, sale] = digest.split(':');
  return version === VERSION && sale !== undefined ? { sale } : undefined;
}

/** Whether a record of version 0.4.0 names the same resource, as far as it still shows one. */
function boughtTheSame(first: RecordedRequest['request'], request: FacilitatorRequest): boolean {
  if (first === undefined) return true;
  const [one, other] = [first.paymentPayload, request.paymentPayload].map(boughtBy);
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns whether this is the request that a record was written for. */
export function isSameRequest(recorded: RecordedRequest, request: FacilitatorRequest): boolean {
  const { digest, request: first } = recorded;
  if (partsOf(digest) !== undefined) return digest === requestDigest(request);
  return digest === firstDigest(request) && boughtTheSame(first, request);
}

/**
 * Returns whether this request presents the payment of a record for the same resource, under requirements that may differ.
 * A record of version 0.4.0 no longer shows that once its answer is delivered.
 */
export function isSameOffer(recorded: RecordedRequest, request: FacilitatorRequest): boolean {
  const { digest, request: first } = recorded;
  const parts = partsOf(digest);
  if (parts !== undefined) return parts.sale === saleDigest(request);
  return (
    first !== undefined &&
    hashOf(first.paymentPayload.payload) === hashOf(request.paymentPayload.payload) &&
    boughtTheSame(first, request)
  );
}
