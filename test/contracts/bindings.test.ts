import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('The bindings of the contracts', () => {
  it('match the committed modules: generating them again gives the same text', () => {
    const args = ['scripts/generateBindings.mjs', '--check'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^5 bindings are what the committed modules say/);
  });
});
