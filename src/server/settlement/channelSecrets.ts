import { createHmac } from 'node:crypto';
import { encodeStrKey } from '../../protocol/index.ts';

/** The pool has exactly this many accounts (spec: Limits/Channel pool). */
export const CHANNEL_COUNT = 50;

/**
 * Derives the secrets of the 50 channel accounts from one seed, always the same ones.
 * Each Ed25519 seed is an HMAC-SHA-256 under the seed text, so none reveals anything about another.
 */
export function deriveChannelSecrets(seed: string): string[] {
  return Array.from({ length: CHANNEL_COUNT }, (_, index) => {
    const key = createHmac('sha256', seed).update(`svc-x402 channel ${index}`).digest();
    return encodeStrKey('secretSeed', key);
  });
}
