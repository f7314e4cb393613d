import { openEd25519Key } from '../../src/machine/index.ts';
import { didKeyOf, type SigningKey } from '../../src/protocol/receipts/index.ts';
import { PAYER, SELLER, USDC } from '../support/payment.ts';

/** Seconds since 1970, in the middle of the sale. */
export const NOW = 1_795_000_000;

/** A signing key under `did:key`, from a seed of equal bytes. */
export function keyFrom(byte: number): SigningKey & { readonly publicKey: Uint8Array } {
  const { publicKey, sign } = openEd25519Key(new Uint8Array(32).fill(byte));
  const did = didKeyOf(publicKey);
  return { kid: `${did}#${did.slice('did:key:'.length)}`, sign, publicKey };
}

export const SELLER_KEY = keyFrom(7);

/** One sale: what was offered, and what was confirmed. */
export const OFFER = {
  resourceUrl: 'https://api.example.com/quote?of=XLM',
  scheme: 'exact',
  network: 'stellar:testnet',
  asset: USDC,
  payTo: SELLER.address,
  amount: '10000',
  validUntil: NOW + 60,
};

export const RECEIPT = {
  network: 'stellar:testnet',
  resourceUrl: OFFER.resourceUrl,
  payer: PAYER.address,
  issuedAt: NOW,
  transaction: 'ab'.repeat(32),
};
