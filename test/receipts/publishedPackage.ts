import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OfferPayload, SignedArtifact } from '../../src/protocol/receipts/index.ts';
import { canonicalPackage } from '../support/canonical.ts';

/** Signs JWS for the published package. */
export interface PublishedSigner {
  readonly kid: string;
  readonly format: 'jws';
  readonly algorithm: string;
  sign(bytes: Uint8Array): Promise<string>;
}

/** An offer that the published package has read. */
interface DecodedOffer {
  readonly amount: string;
  readonly signedOffer: SignedArtifact;
}

/** What these tests use of `@x402/extensions/offer-receipt`. */
interface OfferReceiptPackage {
  createOfferJWS(url: string, input: object, signer: PublishedSigner): Promise<SignedArtifact>;
  createReceiptJWS(input: object, signer: PublishedSigner): Promise<SignedArtifact>;
  verifyOfferSignatureJWS(offer: SignedArtifact): Promise<OfferPayload>;
  verifyReceiptSignatureJWS(receipt: SignedArtifact): Promise<Readonly<Record<string, unknown>>>;
  extractOffersFromPaymentRequired(required: unknown): readonly SignedArtifact[];
  decodeSignedOffers(offers: readonly SignedArtifact[]): readonly DecodedOffer[];
  findAcceptsObjectFromSignedOffer<T extends object>(
    offer: DecodedOffer,
    accepts: readonly T[],
  ): T | undefined;
  verifyReceiptMatchesOffer(
    receipt: SignedArtifact,
    offer: DecodedOffer,
    payers: readonly string[],
  ): boolean;
}

const NAME = '@x402/extensions/offer-receipt';
/** A folder in which another version of the package was installed. */
const folder = process.env['X402_EXTENSIONS_FOLDER'];

/** The published package: that of the example seller, or the one in `X402_EXTENSIONS_FOLDER`. */
export const offerReceiptPackage =
  folder === undefined
    ? canonicalPackage<OfferReceiptPackage>(NAME)
    : (createRequire(join(folder, 'package.json'))(NAME) as OfferReceiptPackage);
