import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The module of a policy contract. */
export interface PolicyModule {
  readonly name: 'spending-limit' | 'verified-only';
  readonly wasm: Uint8Array;
  /** SHA-256, which is its name on the ledger. */
  readonly hash: Uint8Array;
}

export interface PolicyModules {
  readonly spendingLimit: PolicyModule;
  readonly verifiedOnly: PolicyModule;
}

function load(name: PolicyModule['name']): PolicyModule {
  const shipped = fileURLToPath(new URL(`./contracts/${name}.wasm`, import.meta.url));
  const source = new URL(`../../../contracts/wasm/${name}.wasm`, import.meta.url);
  const wasm = readFileSync(existsSync(shipped) ? shipped : fileURLToPath(source));
  return { name, wasm, hash: createHash('sha256').update(wasm).digest() };
}

/** The modules, from beside the bundle that this code ships in or from the source tree. */
export function policyModules(): PolicyModules {
  return { spendingLimit: load('spending-limit'), verifiedOnly: load('verified-only') };
}
