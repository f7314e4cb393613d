// `npm run docs -- licences`: lists the packages and crates that ship, with their licences.
// Writes docs/licences.md and build/sbom.cdx.json (CycloneDX 1.6).
// usage: node scripts/licences.mjs [--crates]
// --crates queries cargo again for the crates and their licences (scripts/crates.json), which requires Rust.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, install, requireNode, root } from './prepare.mjs';
import { bundledPackages, crates, licencesPage, sbom } from './shipped.mjs';

/** The folders in which shipped Rust is built, and the targets. */
const WORKSPACES = [
  ['network/host/protocol-27', 'wasm32-unknown-unknown', []],
  ['network/host/protocol-28', 'wasm32-unknown-unknown', []],
  [
    'contracts',
    'wasm32v1-none',
    ['attestation-registry', 'smart-account', 'spending-limit', 'upto', 'verified-only'],
  ],
];

requireNode();
await install(root);
await buildIfStale();
if (process.argv.includes('--crates')) writeCrates();
const packages = bundledPackages();
mkdirSync(join(root, 'build'), { recursive: true });
writeFileSync(
  join(root, 'build', 'sbom.cdx.json'),
  `${JSON.stringify(sbom(packages, crates()), null, 2)}\n`,
);
writeFileSync(join(root, 'docs', 'licences.md'), licencesPage(packages, crates()));
console.log(`${packages.length} packages and ${crates().length} crates ship`);

function writeCrates() {
  const found = new Map();
  for (const [folder, target, members] of WORKSPACES) {
    const chosen = members.flatMap((name) => ['-p', name]);
    const text = execFileSync(
      process.env.CARGO ?? '/usr/bin/cargo',
      // Without build scripts and macros, which run at compile time and are not in the module.
      [
        'tree',
        '--locked',
        ...['--target', target, '-e', 'normal,no-proc-macro', '--prefix', 'none'],
        ...['--format', '{p}|{l}', ...chosen],
      ],
      {
        cwd: join(root, folder),
        encoding: 'utf8',
        env: { ...process.env, RUSTC: '/usr/bin/rustc', RUSTC_BOOTSTRAP: '1' },
      },
    );
    for (const line of text.split('\n')) {
      const [, name, version, own, licence] =
        /^(\S+) v(\S+)( \([^)]*\/[^)]*\))?(?: \(\*\))?\|(.*?)(?: \(\*\))?$/.exec(line) ?? [];
      if (name === undefined || own !== undefined) continue;
      const key = `${name} ${version}`;
      const crate = found.get(key) ?? { name, version, licence, in: [] };
      if (!crate.in.includes(folder)) crate.in.push(folder);
      found.set(key, crate);
    }
  }
  const sorted = [...found.values()].sort((one, other) =>
    `${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1,
  );
  const lines = sorted.map((crate) => `  ${JSON.stringify(crate)}`);
  writeFileSync(join(root, 'scripts', 'crates.json'), `[\n${lines.join(',\n')}\n]\n`);
}
