import { type AccountAddress, encodeStrKey } from '../../protocol/index.ts';

/** A new key for an agent. Give `secret` to the agent and do not store it anywhere else. */
export interface AgentKey {
  /** `G…` */
  readonly agent: AccountAddress;
  /** `S…` */
  readonly secret: string;
}

const SEED_LENGTH = 32;

/** Creates an Ed25519 key with the Web Crypto API (Node 18.4, Chrome 137, Firefox 129, Safari 17 and later). */
export async function makeAgentKey(crypto: typeof globalThis.crypto): Promise<AgentKey> {
  const { subtle } = crypto;
  const made = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('publicKey' in made)) throw new TypeError('a pair of keys is made');
  const publicKey = new Uint8Array(await subtle.exportKey('raw', made.publicKey));
  // The seed is at the end of a PKCS #8 key (RFC 8410).
  const key = new Uint8Array(await subtle.exportKey('pkcs8', made.privateKey));
  return {
    agent: encodeStrKey('account', publicKey) as AccountAddress,
    secret: encodeStrKey('secretSeed', key.subarray(key.length - SEED_LENGTH)),
  };
}
