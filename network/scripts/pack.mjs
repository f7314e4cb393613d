// `npm run package` in network/: packs svc-stellar-network with the host of the default protocol, and svc-stellar-network-27 with
// the other host alone. Neither has dependencies.
// usage: node network/scripts/pack.mjs [FOLDER]

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packFolder } from '../../scripts/npmTarball.mjs';
import {
  buildIfStale,
  declareIfStale,
  install,
  requireNode,
  root,
} from '../../scripts/prepare.mjs';

const DEFAULT_PROTOCOL = 28;
const OTHER_PROTOCOLS = [27];
/** What the network loads from its own folder, by its name in dist/. */
const NEEDED = [
  ...['ledger.js', 'ledger.js.LEGAL.txt', 'ledger.d.ts', 'simulation-worker.js'],
  ...[`ledger-host-${DEFAULT_PROTOCOL}.wasm`, 'contracts'],
];

requireNode();
await install(root);
await buildIfStale();
await declareIfStale();

const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'network', 'package.json'), 'utf8'));
const { name, version, description, license, keywords, engines } = manifest;
const out = resolve(process.argv[2] ?? join(root, 'build'));
mkdirSync(out, { recursive: true });

const stage = emptyStage('npm-network');
for (const file of NEEDED) cpSync(join(dist, file), join(stage, file), { recursive: true });
cpSync(join(root, 'network', 'README.md'), join(stage, 'README.md'));
await packAs(stage, {
  name,
  version,
  description,
  license,
  keywords,
  engines,
  type: 'commonjs',
  main: './ledger.js',
  types: './ledger.d.ts',
  exports: {
    '.': { types: './ledger.d.ts', default: './ledger.js' },
    './package.json': './package.json',
  },
  sideEffects: false,
  files: [...NEEDED, 'NOTICE'],
});

for (const protocol of OTHER_PROTOCOLS) {
  const host = `ledger-host-${protocol}.wasm`;
  const stage = emptyStage(`npm-network-${protocol}`);
  cpSync(join(dist, host), join(stage, host));
  writeFileSync(
    join(stage, 'README.md'),
    `# ${name}-${protocol}\n\nThe Soroban host of protocol ${protocol} for \`${name}\`, which finds it when a network runs that protocol.\n`,
  );
  await packAs(stage, {
    name: `${name}-${protocol}`,
    version,
    description: `The Soroban host of protocol ${protocol} for ${name}.`,
    license,
    engines,
    exports: { [`./${host}`]: `./${host}`, './package.json': './package.json' },
    files: [host, 'NOTICE'],
  });
}

/** A folder in build/ with the files that every package has. */
function emptyStage(folder) {
  const stage = join(root, 'build', folder);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(stage, file));
  return stage;
}

async function packAs(stage, packed) {
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  await packFolder(stage, join(out, `${packed.name}-${version}.tgz`));
}
