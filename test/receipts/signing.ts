import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto';
import {
  didKeyOf,
  type ReceiptSigner,
  type VerifyEd25519,
} from '../../src/protocol/receipts/index.ts';

/** DER of a private Ed25519 key up to its 32 bytes (RFC 8410). */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex');

export interface TestKey extends ReceiptSigner {
  readonly privateKey: KeyObject;
  readonly publicKey: Uint8Array;
}

/** A key whose 32 secret bytes are all this one. */
export function testKey(byte: number): TestKey {
  const der = Buffer.concat([PRIVATE_DER, Buffer.alloc(32, byte)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(PUBLIC_DER.length));
  return {
    ...{ privateKey, publicKey, kid: didKeyOf(publicKey) },
    sign: (bytes) => new Uint8Array(nodeSign(null, bytes, privateKey)),
  };
}

export const verifyEd25519: VerifyEd25519 = (publicKey, bytes, signature) =>
  nodeVerify(
    null,
    bytes,
    createPublicKey({
      key: Buffer.concat([PUBLIC_DER, publicKey]),
      format: 'der',
      type: 'spki',
    }),
    signature,
  );
