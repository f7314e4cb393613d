import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { npmIn } from './npmIn.ts';

describe('npm is asked in the folder of the project', {
  skip: process.platform === 'win32',
}, () => {
  const path = process.env['PATH'] ?? '';
  let folder: string;

  /** A program of that name, first on the PATH. */
  const npmThat = (script: string) => {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'npm'), 0o755);
    process.env['PATH'] = `${folder}${delimiter}${path}`;
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-npm-')));
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  it('with what it wrote and how it ended', async () => {
    npmThat('pwd; echo "$@"; exit 3');
    const answer = await npmIn(folder)(['view', 'a b']);
    assert.deepEqual(answer, { exitCode: 3, output: `${folder}\nview a b\n` });
  });

  it('a success is told as one', async () => {
    npmThat('echo \'"1.0.0"\'');
    assert.deepEqual(await npmIn(folder)([]), { exitCode: 0, output: '"1.0.0"\n' });
  });

  it('one that is slower than allowed is ended, and tells nothing', async () => {
    npmThat('exec sleep 20');
    const begun = Date.now();
    assert.deepEqual(await npmIn(folder, 200)([]), { exitCode: undefined, output: '' });
    assert.ok(Date.now() - begun < 10_000);
  });

  it('without npm nothing is told', async () => {
    process.env['PATH'] = folder;
    assert.deepEqual(await npmIn(folder)([]), { exitCode: undefined, output: '' });
  });
});
