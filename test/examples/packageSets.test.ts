import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const examples = new URL('../../examples/', import.meta.url);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, examples), 'utf8'));
}

interface PackageSet {
  readonly versions: Readonly<Record<string, string>>;
  readonly overrides: unknown;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides: unknown;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { version?: string; resolved?: string }>>;
}

const { x402 } = readJson('package-sets.json') as { x402: PackageSet };

describe('the versions of the x402 packages are in one table', () => {
  const manifest = readJson('paid-api/package.json') as Manifest;
  const lock = readJson('paid-api/package-lock.json') as LockFile;

  it('paid-api names exactly the versions of the table', () => {
    for (const [name, version] of Object.entries(x402.versions)) {
      assert.equal(manifest.dependencies[name], version, name);
    }
    const outside = Object.keys(manifest.dependencies).filter(
      (name) => name.startsWith('@x402/') && !(name in x402.versions),
    );
    assert.deepEqual(outside, []);
    assert.deepEqual(manifest.overrides, x402.overrides);
  });

  it('paid-api installs them, each once', () => {
    for (const [name, version] of Object.entries(x402.versions)) {
      const copies = Object.entries(lock.packages)
        .filter(([path]) => path.endsWith(`node_modules/${name}`))
        .map(([, copy]) => copy.version);
      assert.deepEqual(copies, [version], name);
    }
  });

  for (const example of ['paid-api', 'agent']) {
    it(`the lock file of ${example} names no registry`, () => {
      const { packages } = readJson(`${example}/package-lock.json`) as LockFile;
      const named = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined);
      assert.deepEqual(named, []);
    });
  }
});
