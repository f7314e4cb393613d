import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isInstalled, noteLeftOut } from '../../scripts/installed.mjs';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, Locked>>;

describe('An installation is current if it matches the lock file', () => {
  let folder: string;

  const write = (name: string, value: object) =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  /** The lock file, and the packages that package.json asks for. */
  const lock = (packages: Packages, dependencies = {}) => {
    write('package.json', { dependencies });
    write('package-lock.json', { packages: { '': { dependencies }, ...packages } });
  };
  /** What npm leaves behind after an install: the packages, its note, and ours. */
  const install = (packages: Packages) => {
    for (const path of Object.keys(packages)) {
      mkdirSync(join(folder, path), { recursive: true });
      write(join(path, 'package.json'), {});
    }
    write('node_modules/.package-lock.json', { packages });
    noteLeftOut(folder);
  };
  const a = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-installed-'));
    mkdirSync(join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('nothing was installed', () => {
    lock(a);
    assert.equal(isInstalled(folder), false);
    install(a);
    assert.equal(isInstalled(folder), true);
  });

  it('a package that is new in the lock file, or of another version or content, counts as missing', () => {
    lock(a);
    install(a);
    for (const more of [
      { 'node_modules/b': { version: '1.0.0' } },
      { 'node_modules/a': { version: '1.0.1' } },
      { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
    ]) {
      lock({ ...a, ...more });
      assert.equal(isInstalled(folder), false, JSON.stringify(more));
    }
  });

  it('an optional package that is new in the lock file counts as missing too', () => {
    lock(a);
    install(a);
    lock({ ...a, 'node_modules/a-linux': { version: '1.0.0', optional: true } });
    assert.equal(isInstalled(folder), false);
  });

  it('an optional package that npm skipped for this lock file can be absent', () => {
    lock({ ...a, 'node_modules/a-other-system': { version: '1.0.0', optional: true } });
    install(a);
    assert.equal(isInstalled(folder), true);
    lock({ ...a, 'node_modules/a-other-system': { version: '1.0.1', optional: true } });
    assert.equal(isInstalled(folder), false);
  });

  it('a linked package, which has no version, counts as missing before it is linked', () => {
    const linked = { 'node_modules/b': { link: true } };
    lock({ ...a, ...linked });
    install(a);
    assert.equal(isInstalled(folder), false);
    install({ ...a, ...linked });
    assert.equal(isInstalled(folder), true);
  });

  it('a package that npm recorded but that is gone from the disk counts as missing', () => {
    lock(a);
    install(a);
    rmSync(join(folder, 'node_modules', 'a'), { recursive: true });
    assert.equal(isInstalled(folder), false);
  });

  it('a package in package.json but not in the lock file counts as missing', () => {
    lock(a, { a: '1.0.0', b: '1.0.0' });
    install(a);
    assert.equal(isInstalled(folder), false);
  });
});
