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

/** The modules that were built between 0.3.0 and the first whose limits change. */
export const FIXED_LIMIT_MODULES = {
  account: module('smart-account', 'earlier/unreleased-1'),
  spendingLimit: module('spending-limit', 'earlier/unreleased-1'),
} as const;
