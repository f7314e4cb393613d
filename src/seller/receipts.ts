import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import {
  didKeyOf,
  OFFER_RECEIPT,
  type ReceiptSigner,
  signOffer,
  signReceipt,
} from '../protocol/receipts/index.ts';
import { requirementsOf } from './exactPayment.ts';
import type { SellerProtocol } from './sellerProtocol.ts';

/** DER of a private Ed25519 key up to its 32 bytes, and of a public one (RFC 8410). */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER_BYTES = 12;

/** A key that signs offers and receipts, with its public part. */
export interface ReceiptKey extends ReceiptSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * Makes the key that signs a seller's offers and receipts, named by `did:key`. Use a secret of its own: an account's can spend.
 * @param secret 32 bytes
 * @throws if there are not 32 of them
 */
export function receiptKey(secret: Uint8Array): ReceiptKey {
  const der = Buffer.concat([PRIVATE_DER, secret]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(PUBLIC_DER_BYTES));
  return {
    ...{ publicKey, kid: didKeyOf(publicKey) },
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}

/**
 * Adds signed offers to the challenges of a protocol of x402, and a signed receipt to the response of each sale. Nothing that a
 * buyer presents is read differently: a payment with or without these texts is the same payment.
 * @param now in milliseconds since 1970
 */
export function withReceipts(
  protocol: SellerProtocol,
  signer: ReceiptSigner,
  now: () => number,
): SellerProtocol {
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    ...protocol,
    challenge(offer, request, error, at) {
      const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = requirementsOf(
        offer,
        request,
      );
      const signed = signOffer(
        {
          ...{ resourceUrl: offer.resource.url, scheme, network, asset, payTo, amount },
          validUntil: seconds() + maxTimeoutSeconds,
        },
        signer,
        0,
      );
      const extensions = { ...offer.extensions, [OFFER_RECEIPT]: { info: { offers: [signed] } } };
      return protocol.challenge({ ...offer, extensions }, request, error, at);
    },
    receipt(settlement, status, sale) {
      if (sale === undefined || typeof settlement !== 'object' || settlement === null) {
        return protocol.receipt(settlement, status);
      }
      const { extensions, transaction }: { extensions?: unknown; transaction?: unknown } = {
        ...settlement,
      };
      const receipt = signReceipt(
        {
          ...{ network: sale.offer.network, resourceUrl: sale.offer.resource.url },
          ...{ payer: sale.payer, issuedAt: seconds() },
          ...(typeof transaction === 'string' ? { transaction } : {}),
        },
        signer,
      );
      const others = typeof extensions === 'object' && extensions !== null ? extensions : {};
      const signed = { ...others, [OFFER_RECEIPT]: { info: { receipt } } };
      return protocol.receipt({ ...settlement, extensions: signed }, status);
    },
  };
}
