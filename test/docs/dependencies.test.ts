import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bundledPackages } from '../../scripts/shipped.mjs';
import { projectFile, projectRoot } from './pages/projectFile.ts';

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly hasInstallScript?: boolean }>
  >;
}

const lock = JSON.parse(projectFile('package-lock.json')) as Lock;

describe('Dependencies', () => {
  it('no package that ships has an install script', () => {
    const shipped = new Set(bundledPackages().map(({ name, version }) => `${name}@${version}`));
    assert.ok(shipped.size > 50);
    const scripted = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
    assert.deepEqual(
      scripted.filter((one) => shipped.has(one)),
      [],
    );
  });

  for (const manifest of ['package.json', 'network/package.json']) {
    it(`every package in ${manifest} is named by one exact version`, () => {
      const { dependencies, devDependencies } = JSON.parse(projectFile(manifest)) as Record<
        'dependencies' | 'devDependencies',
        Record<string, string>
      >;
      const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      );
      assert.deepEqual(ranges, []);
    });
  }

  it('the network and the payments use the same versions', () => {
    const versions = (manifest: string) =>
      (JSON.parse(projectFile(manifest)) as { dependencies: Record<string, string> }).dependencies;
    const payments = versions('package.json');
    const differing = Object.entries(versions('network/package.json')).filter(
      ([name, version]) => (payments[name] ?? version) !== version,
    );
    assert.deepEqual(differing, []);
  });
});

describe('WebAssembly that is committed', () => {
  for (const folder of ['contracts', 'network/host']) {
    it(`${folder}: every module has the recorded hash`, () => {
      const lines = [
        ...projectFile(`${folder}/hashes.txt`).matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm),
      ];
      assert.ok(lines.length >= 2);
      for (const [, hash, file = ''] of lines) {
        const path = join(projectRoot, folder, file);
        assert.ok(existsSync(path), file);
        assert.equal(createHash('sha256').update(readFileSync(path)).digest('hex'), hash, file);
      }
    });
  }
});
