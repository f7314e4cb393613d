// Packs the npm package: bundles, declarations and the files they load, without dependencies.
// usage: node scripts/packNpm.mjs [OUT.tgz]

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildIfStale, declareIfStale, install, requireNode, root, run } from './prepare.mjs';

/** Of dist/: all but the editor extension. */
const LEFT_OUT = /^(extension|payments)\.js(\.LEGAL\.txt)?$/;
const BESIDE = ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'docs/licences.md'];

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
for (const file of BESIDE) cpSync(join(root, file), join(stage, file));
// Paths that only a checkout has are left out.
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
      files: ['dist', 'CHANGELOG.md', 'NOTICE', 'docs'],
    },
    null,
    2,
  )}\n`,
);

const told = await run('npm', ['pack', '--json', '--pack-destination', join(root, 'build')], {
  cwd: stage,
  shell: process.platform === 'win32',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [packed] = JSON.parse(told);
const made = join(root, 'build', packed.filename);
if (made !== out) renameSync(made, out);
for (const { path, size } of packed.files) console.log(`${String(size).padStart(9)}  ${path}`);
console.log(
  `${relative(root, out)}  ${packed.files.length} files  ${(packed.size / 1e6).toFixed(2)} MB`,
);

/** The declarations of each library, by its path in the package. */
function typesOf(paths) {
  const types = Object.entries(paths).flatMap(([path, { require, types }]) => {
    const file = require?.types ?? types;
    return file === undefined || path === '.' ? [] : [[path.slice(2), [file]]];
  });
  return Object.fromEntries(types);
}
