import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GENESIS_CONTRACTS, type GenesisModules } from './genesis/index.ts';

/** The modules of the project's own contracts: next to the bundle that contains this code, or in the source tree. */
export function contractModules(): GenesisModules {
  return Object.fromEntries(
    GENESIS_CONTRACTS.map((name) => {
      const shipped = fileURLToPath(new URL(`./contracts/${name}.wasm`, import.meta.url));
      const source = new URL(`../../contracts/wasm/${name}.wasm`, import.meta.url);
      return [name, readFileSync(existsSync(shipped) ? shipped : fileURLToPath(source))];
    }),
  );
}
