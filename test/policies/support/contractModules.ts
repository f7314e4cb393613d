import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

function module(name: string) {
  const wasm = readFileSync(new URL(`../../../contracts/wasm/${name}.wasm`, import.meta.url));
  return { wasm, hash: createHash('sha256').update(wasm).digest() };
}

/** The committed modules, with their hashes. */
export const MODULES = {
  account: module('smart-account'),
  spendingLimit: module('spending-limit'),
  verifiedOnly: module('verified-only'),
  registry: module('attestation-registry'),
} as const;
