import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A module that the service can upload to the ledger. */
export interface ContractModule<Name extends string = string> {
  readonly name: Name;
  readonly wasm: Uint8Array;
  /** Its SHA-256, which identifies it on the ledger. */
  readonly hash: Uint8Array;
}

/** The module of a policy contract. */
export type PolicyModule = ContractModule<'spending-limit' | 'verified-only'>;

export interface PolicyModules {
  readonly spendingLimit: PolicyModule;
  readonly verifiedOnly: PolicyModule;
}

function load<Name extends string>(name: Name): ContractModule<Name> {
  const shipped = fileURLToPath(new URL(`./contracts/${name}.wasm`, import.meta.url));
  const source = new URL(`../../../contracts/wasm/${name}.wasm`, import.meta.url);
  const wasm = readFileSync(existsSync(shipped) ? shipped : fileURLToPath(source));
  return { name, wasm, hash: createHash('sha256').update(wasm).digest() };
}

/** The modules, next to the bundle that contains this code or in the source tree. */
export function policyModules(): PolicyModules {
  return { spendingLimit: load('spending-limit'), verifiedOnly: load('verified-only') };
}

/** The module of the smart account. */
export function accountModule(): ContractModule {
  return load('smart-account');
}
