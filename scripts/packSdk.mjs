// Packs the client SDK as a separate package, svc-x402-sdk: ES modules, CommonJS and types, without dependencies.
// usage: node scripts/packSdk.mjs [OUT.tgz]

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { packFolder } from './npmTarball.mjs';
import { packagedPage } from './packagePages.mjs';
import { buildIfStale, declareIfStale, install, requireNode, root } from './prepare.mjs';
import { bundledPackages } from './shipped.mjs';

const NAME = 'svc-x402-sdk';
/** Bundles whose code is in the package. */
const BUNDLES = ['sdk.mjs', 'sdk.cjs'];

requireNode();
await install(root);
await buildIfStale();
await declareIfStale();

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, license } = manifest;
const out = resolve(process.argv[2] ?? join(root, 'build', `${NAME}-${version}.tgz`));
const dist = join(root, 'dist');
const stage = join(root, 'build', 'npm-sdk');
rmSync(stage, { recursive: true, force: true });
mkdirSync(join(stage, 'esm'), { recursive: true });

// CommonJS, for Node, Bun and Deno. Their ES module re-exports the same functions and classes, so that `instanceof` works if a
// program loads the package both ways.
const common = readFileSync(join(dist, 'sdk.cjs'), 'utf8');
writeFileSync(join(stage, 'index.js'), common);
writeFileSync(
  join(stage, 'index.mjs'),
  `export { ${exportsOf(common).join(', ')} } from './index.js';\n`,
);
cpSync(join(dist, 'sdk.d.ts'), join(stage, 'index.d.ts'));
writeFileSync(join(stage, 'index.d.mts'), "export * from './index.js';\n");
// Split ES modules, for bundlers and browsers, which load only what is used.
cpSync(join(dist, 'sdk.mjs'), join(stage, 'esm', 'index.mjs'));
cpSync(join(dist, 'sdk'), join(stage, 'esm', 'sdk'), { recursive: true });

cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
cpSync(join(root, 'src', 'sdk', 'NOTICE'), join(stage, 'NOTICE'));
const readme = readFileSync(join(root, 'src', 'sdk', 'README.md'), 'utf8');
const isPacked = (path) => existsSync(join(stage, path));
writeFileSync(join(stage, 'README.md'), packagedPage(readme, 'README.md', isPacked));
writeFileSync(join(stage, 'THIRD-PARTY-LICENSES.txt'), thirdParties());
writeFileSync(
  join(stage, 'package.json'),
  `${JSON.stringify(
    {
      name: NAME,
      version,
      description:
        'Pay x402 resources in USDC on Stellar with a fetch that has a budget, and give agents limits that the ledger enforces.',
      license,
      keywords: ['x402', 'stellar', 'usdc', 'payments', 'agents', 'fetch', 'passkeys'],
      engines: { node: manifest.engines.node },
      type: 'commonjs',
      main: './index.js',
      types: './index.d.ts',
      exports: {
        '.': {
          import: {
            types: './index.d.mts',
            node: './index.mjs',
            default: './esm/index.mjs',
          },
          require: { types: './index.d.ts', default: './index.js' },
        },
        './package.json': './package.json',
      },
      sideEffects: false,
      files: ['index.*', 'esm', 'NOTICE', 'THIRD-PARTY-LICENSES.txt'],
    },
    null,
    2,
  )}\n`,
);

await packFolder(stage, out);

/** The names that a CommonJS bundle declares to importers (esbuild's list for cjs-module-lexer). */
function exportsOf(text) {
  const names = /0&&\(module\.exports=\{([\w$,\s]+)\}\)/.exec(text)?.[1];
  if (names === undefined) throw new Error('dist/sdk.cjs does not declare what it exports');
  return names.split(',').map((name) => name.trim());
}

/** The licences, with texts, of the packages whose code is in the bundles. */
function thirdParties() {
  const used = bundledPackages().filter((one) => one.in.some((name) => BUNDLES.includes(name)));
  return used
    .map(({ name, version: of, licence, folder }) => {
      const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
      if (file === undefined) throw new Error(`${name} has no text of its licence`);
      const text = readFileSync(join(root, folder, file), 'utf8')
        .replaceAll('\r\n', '\n')
        .trim();
      return `${name} ${of} (${licence})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
