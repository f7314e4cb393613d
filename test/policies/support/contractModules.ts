import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

function module(name: string, folder = 'wasm') {
  const wasm = readFileSync(new URL(`../../../contracts/${folder}/${name}.wasm`, import.meta.url));
  return { wasm, hash: createHash('sha256').update(wasm).digest() };
}

/** The committed modules, with their hashes. */
export const MODULES = {
  account: module('smart-account'),
  spendingLimit: module('spending-limit'),
  verifiedOnly: module('verified-only'),
  registry: module('attestation-registry'),
} as const;

/** The modules of version 0.3.0, which wallets and policies of that time run. */
export const EARLIER_MODULES = {
  account: module('smart-account', 'earlier/0.3.0'),
  spendingLimit: module('spending-limit', 'earlier/0.3.0'),
  verifiedOnly: module('verified-only', 'earlier/0.3.0'),
} as const;
