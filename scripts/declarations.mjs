// Emits the published declarations from the sources, one file per library, without types from other packages.
// usage: node scripts/declarations.mjs [OUT]

import { copyFileSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The published libraries, by the name of their bundle. */
const LIBRARIES = {
  sdk: 'src/sdk/index.ts',
  upto: 'src/sdk/upto/index.ts',
  receipts: 'src/sdk/receipts/index.ts',
  seller: 'src/handlers/index.ts',
  ledger: 'network/src/index.ts',
};

/** The files that are written into dist/. */
export const DECLARATIONS = [...Object.keys(LIBRARIES).map((name) => `${name}.d.ts`), 'sdk.d.mts'];

/**
 * Writes `<name>.d.ts` of each library, and `sdk.d.mts` with the same text for importers of the ES module.
 */
export async function writeDeclarations(folder) {
  mkdirSync(folder, { recursive: true });
  // Loaded here, because a caller that bundles needs only the names.
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const emit = emitter(rollup, dts);
  for (const [name, entry] of Object.entries(LIBRARIES)) await emit(name, entry, folder);
  copyFileSync(join(folder, 'sdk.d.ts'), join(folder, 'sdk.d.mts'));
}

function emitter(rollup, dts) {
  return async (name, entry, folder) => {
    const bundle = await rollup({
      input: join(root, entry),
      external: (id) => !/^[./]/.test(id) && !isAbsolute(id),
      plugins: [dts({ tsconfig: join(root, 'tsconfig.json') })],
    });
    try {
      const { output } = await bundle.write({ file: join(folder, `${name}.d.ts`), format: 'es' });
      const foreign = output.flatMap(({ imports = [] }) => imports);
      if (foreign.length > 0) throw new Error(`${name}.d.ts needs types of ${foreign.join(', ')}`);
    } finally {
      await bundle.close();
    }
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeDeclarations(resolve(process.argv[2] ?? join(root, 'dist')));
  console.log(`declarations: ${DECLARATIONS.join(', ')}`);
}
