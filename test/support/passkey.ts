import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { PasskeyAssertion } from '../../src/protocol/smartAccount/index.ts';

const RP_ID = 'localhost';
const ORIGIN = 'http://localhost:3000';
const USER_PRESENT_AND_VERIFIED = 0x05;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** PKCS #8 of a P-256 key without its public half (RFC 5915); the 32 bytes of the scalar follow. */
const PKCS8_P256 = Buffer.from(
  '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420',
  'hex',
);

/** An authenticator with one passkey. */
export interface TestPasskey {
  readonly keyId: Uint8Array;
  /** 65 bytes, uncompressed. */
  readonly publicKey: Uint8Array;
  /** How often it was asked: each is a prompt to a user. */
  readonly prompts: number;
  assert(challenge: Uint8Array): PasskeyAssertion | Promise<PasskeyAssertion>;
}

/** Makes the passkey of a name, in software: it signs everything it is asked to. */
export function softwarePasskey(name: string): TestPasskey {
  // The first byte is cleared, so that the scalar is below the group's order.
  const scalar = sha256(`passkey ${name}`);
  scalar[0] = 0;
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_P256, scalar]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-65);
  let prompts = 0;
  return {
    keyId: sha256(`credential ${name}`).subarray(0, 16),
    publicKey,
    get prompts() {
      return prompts;
    },
    assert(challenge) {
      prompts += 1;
      const clientDataJSON = Buffer.from(
        JSON.stringify({
          type: 'webauthn.get',
          challenge: Buffer.from(challenge).toString('base64url'),
          origin: ORIGIN,
          crossOrigin: false,
        }),
      );
      const counter = Buffer.alloc(4);
      counter.writeUInt32BE(prompts);
      const authenticatorData = Buffer.concat([
        sha256(RP_ID),
        Buffer.of(USER_PRESENT_AND_VERIFIED),
        counter,
      ]);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return { authenticatorData, clientDataJSON, signature: sign('sha256', signed, key) };
    },
  };
}
