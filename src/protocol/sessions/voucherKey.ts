import { createPublicKey, verify } from 'node:crypto';

/** A key that signs vouchers, kept for many of them. */
export interface VoucherKey {
  /** Whether the ledger accepts this signature (64 bytes) over the bytes. */
  signed(bytes: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * The y coordinates of the points of small order, those that are written in two ways twice, in little-endian order and without the
 * sign. With such a key, or such a first half of a signature, OpenSSL accepts what the ledger refuses: a signature under them
 * proves nothing, and a seller would serve for vouchers that it can never claim.
 */
const SMALL_ORDER = new Set([
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

function isSmallOrder(point: Uint8Array): boolean {
  const y = Buffer.from(point);
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31);
  return SMALL_ORDER.has(y.toString('hex'));
}

/** Reads an Ed25519 key from its 32 bytes; `undefined` if the ledger would accept no signature of it. */
export function readVoucherKey(raw: Uint8Array): VoucherKey | undefined {
  if (raw.length !== 32 || isSmallOrder(raw)) return undefined;
  const x = Buffer.from(raw).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return {
    signed: (bytes, signature) =>
      signature.length === 64 &&
      !isSmallOrder(signature.subarray(0, 32)) &&
      verify(null, bytes, key, signature),
  };
}
