import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { cacheFolder } from './keepCompiled.ts';
import { CompiledFile } from './loadKept.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-compiled-'));
after(() => rmSync(root, { recursive: true, force: true }));
const fresh = (): string => mkdtempSync(join(root, 'f-'));
const posix = process.platform !== 'win32';

describe('Compiled code is kept where nobody else can write', () => {
  const inside = (base: string) =>
    cacheFolder({ XDG_CACHE_HOME: base, LOCALAPPDATA: base }, base) ?? '';

  it('in a cache folder that only the user can read', () => {
    const folder = inside(fresh());
    assert.match(folder, /svc-x402.compiled$/);
    if (posix) assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(cacheFolder({}, root)?.startsWith(root), true);
  });

  it('not in a folder that others can write to', { skip: !posix }, () => {
    const base = fresh();
    chmodSync(inside(base), 0o777);
    assert.equal(inside(base), '');
  });

  it('not if the home folder is not writable, or the user turned it off', () => {
    const file = join(fresh(), 'no folder');
    writeFileSync(file, '');
    assert.equal(inside(file), '');
    assert.equal(inside('relative'), '');
    assert.equal(cacheFolder({ NODE_DISABLE_COMPILE_CACHE: '1' }, fresh()), undefined);
  });
});

describe('Compiled code is run only if it is unchanged', () => {
  const code = Buffer.from('compiled code');
  function kept() {
    const folder = fresh();
    const bundle = join(folder, 'bundle.js');
    writeFileSync(bundle, 'void 0');
    const cache = fresh();
    return { bundle, cache, open: () => new CompiledFile(cache, bundle) };
  }

  it('for the bundle that it was compiled from', () => {
    const { bundle, cache, open } = kept();
    assert.equal(open().read(), undefined);
    open().write(code);
    assert.deepEqual(open().read(), code);
    if (posix) assert.equal(statSync(join(cache, readdirSync(cache)[0] ?? '')).mode & 0o777, 0o600);
    utimesSync(bundle, 1, 1);
    assert.equal(open().read(), undefined);
  });

  it('and not if one bit of it has changed, or its end is missing', () => {
    const { cache, open } = kept();
    open().write(code);
    const path = join(cache, readdirSync(cache)[0] ?? '');
    const whole = readFileSync(path);
    for (const at of [0, 31, 32, whole.length - 1]) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ 1;
      writeFileSync(path, spoilt);
      assert.equal(open().read(), undefined);
    }
    for (const length of [0, 10, 32, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      assert.equal(open().read(), undefined);
    }
  });

  it('for what it was used for', () => {
    const { bundle, cache, open } = kept();
    open().write(code);
    const other = new CompiledFile(cache, bundle, 'ledger');
    assert.equal(other.read(), undefined);
    other.write(code);
    assert.deepEqual(open().read(), code);
    assert.equal(readdirSync(cache).length, 2);
  });

  it('and replaces that of an older bundle', () => {
    const { bundle, cache, open } = kept();
    open().write(code);
    utimesSync(bundle, 1, 1);
    open().write(code);
    assert.equal(readdirSync(cache).length, 1);
  });
});
