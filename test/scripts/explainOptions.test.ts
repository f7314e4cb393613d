import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

const HOOK = new URL('../../scripts/explainOptions.mjs', import.meta.url).href;

function ended(program: string): { readonly status: number | null; readonly stderr: string } {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', HOOK, '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  return { status, stderr };
}

describe('A script ends with the reason', () => {
  it('of an unknown option in one line, without a stack trace', () => {
    const parse = "import { parseArgs } from 'node:util'; parseArgs({ args: ['--wat'] });";
    const { status, stderr } = ended(parse);
    assert.equal(status, 2);
    assert.match(stderr, /^Unknown option '--wat'\. The first lines of .*list its options\.\n$/);
  });

  it('of a value that an option does not take: nothing tried is nothing passed', () => {
    for (const [file, args, reason] of [
      ['test/sim/main.ts', ['--seeds', 'abc'], '--seeds takes a whole number from 1, not "abc"'],
      [
        'test/outside/main.ts',
        ['--store', 'mysql'],
        '--store takes sqlite, postgres, apart, failover, not "mysql"',
      ],
    ] as const) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', '--import', HOOK, file, ...args],
        { encoding: 'utf8', cwd: new URL('../..', import.meta.url) },
      );
      assert.equal(stderr, `${reason}. The first lines of ${file} list its options.\n`);
      assert.equal(status, 2);
    }
  });

  it('of any other error with its stack', () => {
    const { status, stderr } = ended("await Promise.reject(new Error('boom'));");
    assert.equal(status, 1);
    assert.match(stderr, /^Error: boom\n {4}at /);
  });
});
