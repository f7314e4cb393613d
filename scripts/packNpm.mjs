// Packs the npm package: bundles, declarations and the files they load, without dependencies.
// usage: node scripts/packNpm.mjs [OUT.tgz]

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packFolder } from './npmTarball.mjs';
import { copyPages } from './packagePages.mjs';
import { buildIfStale, declareIfStale, install, requireNode, root } from './prepare.mjs';

/** Everything in dist/ except the editor extension. */
const LEFT_OUT = /^(extension|payments|tools)\.js(\.LEGAL\.txt)?$/;
const BESIDE = ['LICENSE', 'NOTICE', 'media/x402.schema.json'];

requireNode();
await install(root);
await buildIfStale();
await declareIfStale();

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { name, version, license, bin, keywords } = manifest;
const out = resolve(process.argv[2] ?? join(root, 'build', `${name}-${version}.tgz`));
const stage = join(root, 'build', 'npm');
rmSync(stage, { recursive: true, force: true });
mkdirSync(join(stage, 'dist'), { recursive: true });
for (const file of readdirSync(join(root, 'dist')).sort()) {
  if (LEFT_OUT.test(file)) continue;
  cpSync(join(root, 'dist', file), join(stage, 'dist', file), { recursive: true });
}
for (const file of BESIDE) {
  mkdirSync(dirname(join(stage, file)), { recursive: true });
  cpSync(join(root, file), join(stage, file));
}
copyPages(stage);
// Paths that exist only in a checkout are omitted.
const exports = Object.fromEntries(
  Object.entries(manifest.exports).filter(([path]) => !path.includes('*')),
);
writeFileSync(
  join(stage, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      description: manifest.description,
      license,
      keywords,
      engines: { node: manifest.engines.node },
      bin,
      // For resolvers that do not read `exports`, such as TypeScript's `node10`.
      main: exports['.'].default,
      types: exports['.'].types,
      typesVersions: { '*': typesOf(exports) },
      exports,
      sideEffects: manifest.sideEffects,
      files: ['dist', 'media', 'CHANGELOG.md', 'NOTICE', 'docs', 'deploy'],
    },
    null,
    2,
  )}\n`,
);

await packFolder(stage, out);

/** The declarations of each library, by its path in the package. */
function typesOf(paths) {
  const types = Object.entries(paths).flatMap(([path, { require, types }]) => {
    const file = require?.types ?? types;
    return file === undefined || path === '.' ? [] : [[path.slice(2), [file]]];
  });
  return Object.fromEntries(types);
}
