import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  bundledPackages,
  crates,
  isPermissive,
  licencesPage,
  sbom,
} from '../../scripts/shipped.mjs';
import { projectFile, projectRoot } from './pages/projectFile.ts';

/** `name version` of every crate of a lock file. */
function locked(folder: string): Set<string> {
  const text = projectFile(`${folder}/Cargo.lock`);
  return new Set(
    [...text.matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    ),
  );
}

describe('Licences of what ships', () => {
  // Tests run on bundles: `npm test` builds them first.
  assert.ok(existsSync(join(projectRoot, 'build', 'meta', 'server.json')));
  const packages = bundledPackages();

  it('are permissive, of every package in a bundle', () => {
    assert.ok(packages.length > 50);
    const others = packages.filter(({ licence }) => !isPermissive(licence));
    assert.deepEqual(others, []);
  });

  it('are permissive, of every crate in the WebAssembly', () => {
    assert.ok(crates().length > 80);
    const others = crates().filter(({ licence }) => !isPermissive(licence));
    assert.deepEqual(others, []);
  });

  it('docs/licences.md lists exactly the contents of the bundles', () => {
    assert.equal(projectFile('docs/licences.md'), licencesPage(packages, crates()));
  });

  it('the crates are those in the lock files', () => {
    for (const { name, version, in: folders } of crates()) {
      for (const folder of folders)
        assert.ok(locked(folder).has(`${name} ${version}`), `${folder}: ${name} ${version}`);
    }
    // What the hosts and contracts are made of, whatever else changes.
    const names = new Set(crates().map(({ name }) => name));
    for (const name of ['soroban-env-host', 'soroban-simulation', 'soroban-sdk', 'wasmi_core'])
      assert.ok(names.has(name) || names.has(name.replace('_core', '')), name);
  });

  it('the bill of materials names each once, with its licence', () => {
    const { components } = sbom(packages, crates());
    assert.equal(components.length, packages.length + crates().length);
    assert.equal(new Set(components.map((one) => one['bom-ref'])).size, components.length);
    for (const { licenses } of components) assert.ok(licenses[0]?.expression);
  });
});

describe('A licence is permissive', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['MIT', true],
    ['MIT/Apache-2.0', true],
    ['MIT OR GPL-3.0', true],
    ['(MIT OR Apache-2.0) AND Unicode-DFS-2016', true],
    ['Apache-2.0 WITH LLVM-exception', true],
    ['GPL-3.0', false],
    ['MIT AND GPL-2.0', false],
    ['UNLICENSED', false],
    ['', false],
  ];
  for (const [expression, expected] of cases) {
    it(`${expression === '' ? 'none' : expression}: ${expected}`, () => {
      assert.equal(isPermissive(expression), expected);
    });
  }
});
