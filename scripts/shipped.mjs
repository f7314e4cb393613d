// Third-party code that ships: npm packages from the bundles' metafiles, crates from scripts/crates.json.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** Licences that require only a notice. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unicode-3.0',
  'Unicode-DFS-2016',
  'Unlicense',
  'Zlib',
]);

/**
 * Whether an SPDX expression can be satisfied by permissive licences alone; `/` is Cargo's old `OR`.
 *
 * @param {string} expression
 */
export function isPermissive(expression) {
  const words = expression
    .replaceAll('/', ' OR ')
    .replaceAll(/\bWITH\s+\S+/g, '')
    .replaceAll(/[()]/g, ' $& ')
    .split(/\s+/)
    .filter((word) => word !== '');
  const either = () => {
    let met = both();
    while (words[0] === 'OR') {
      words.shift();
      met = both() || met;
    }
    return met;
  };
  const both = () => {
    let met = one();
    while (words[0] === 'AND') {
      words.shift();
      met = one() && met;
    }
    return met;
  };
  const one = () => {
    const word = words.shift();
    if (word !== '(') return word !== undefined && PERMISSIVE.has(word);
    const met = either();
    words.shift();
    return met;
  };
  return either() && words.length === 0;
}

/**
 * The packages whose code is in the bundles of dist/, with those bundles.
 *
 * @returns {{ name: string, version: string, licence: string, folder: string, in: string[] }[]}
 */
export function bundledPackages() {
  const meta = join(root, 'build', 'meta');
  const found = new Map();
  for (const file of readdirSync(meta).filter((name) => name.endsWith('.json'))) {
    const { outputs } = JSON.parse(readFileSync(join(meta, file), 'utf8'));
    const bundle = file.replace(/(\.mjs)?\.json$/, '$1');
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) add(found, folder, bundle);
      }
    }
  }
  // Copied unchanged beside the bundle that loads it.
  add(found, 'node_modules/node-sqlite3-wasm', 'node-sqlite3-wasm.wasm');
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function add(found, folder, bundle) {
  const manifest = join(root, folder, 'package.json');
  if (!existsSync(manifest)) return;
  const { name, version, license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'));
  const licence = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ') ?? '';
  const own = found.get(folder) ?? { name, version, licence, folder, in: [] };
  if (!own.in.includes(bundle)) own.in.push(bundle);
  own.in.sort();
  found.set(folder, own);
}

/**
 * The crates in the WebAssembly that ships.
 *
 * @returns {{ name: string, version: string, licence: string, in: string[] }[]}
 */
export function crates() {
  return JSON.parse(readFileSync(join(root, 'scripts', 'crates.json'), 'utf8'));
}

/** The bill of materials, the same for the same contents. */
export function sbom(packages, rust) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const component = (kind) => (one) => ({
    type: 'library',
    'bom-ref': `pkg:${kind}/${one.name}@${one.version}`,
    name: one.name,
    version: one.version,
    purl: `pkg:${kind}/${one.name.replace('@', '%40')}@${one.version}`,
    licenses: [{ expression: one.licence.replaceAll('/', ' OR ') }],
    properties: one.in.map((value) => ({ name: 'svc-x402:in', value })),
  });
  const components = [...packages.map(component('npm')), ...rust.map(component('cargo'))];
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [
      { ref: `pkg:npm/${name}@${version}`, dependsOn: components.map((one) => one['bom-ref']) },
    ],
  };
}

/** `docs/licences.md`. */
export function licencesPage(packages, rust) {
  const rows = (list) =>
    list
      .map(
        ({ name, version, licence, in: where }) =>
          `| \`${name}\` | ${version} | ${licence} | ${where.join(', ')} |\n`,
      )
      .join('');
  const head = (first) => `| ${first} | Version | Licence | In |\n|---|---|---|---|\n`;
  return `# What ships, and under which licences

Generated by \`npm run docs -- licences\` from the bundles' metafiles and \`scripts/crates.json\`; tests check that it is current, and that
every licence is permissive. The project itself is under [Apache-2.0](../LICENSE). Licence texts that have to be kept are next to
each bundle as \`*.LEGAL.txt\`. The same list is written as a bill of materials (CycloneDX 1.6, JSON) to \`build/sbom.cdx.json\`, which
comes with each release.

## npm packages in the bundles

${packages.length} packages. The npm package installs nothing else: it has no dependencies.

${head('Package')}${rows(packages)}
## Crates in the WebAssembly

${rust.length} crates, without those used only at compile time, plus Rust's standard library (MIT OR Apache-2.0).

${head('Crate')}${rows(rust)}`;
}
