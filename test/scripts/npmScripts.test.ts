import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Scripts that choose among several by their first argument. */
const CHOOSERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ lab: 'lab.mjs', docs: 'docs.mjs', package: 'pack.mjs' }).map(([name, file]) => {
    const { stderr } = spawnSync(process.execPath, [join(root, 'scripts', file), 'nothing'], {
      encoding: 'utf8',
    });
    return [name, [...stderr.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, each = '']) => each)];
  }),
);

describe('The commands of the project', () => {
  it('are at most sixteen', () => {
    assert.ok(Object.keys(scripts).length <= 16, Object.keys(scripts).join(', '));
  });

  it('are the ones that pages, messages and comments name', () => {
    const files = execFileSync('git', ['grep', '-lE', 'npm run', '--', '.'], {
      cwd: root,
      encoding: 'utf8',
    });
    const unknown = files
      .trim()
      .split('\n')
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(/npm run(?: --silent| -s)? ([a-z][a-z:-]*)(?: -- ([a-z]+))?/g)]
          .filter(([, name = '', choice]) => {
            if (!(name in scripts)) return !isAnothersProject(file);
            return choice !== undefined && CHOOSERS[name]?.includes(choice) === false;
          })
          .map(([command]) => `${file}: ${command}`);
      });
    assert.deepEqual(unknown, []);
  });

  it('list what they can run, and refuse another name', () => {
    for (const [name, choices] of Object.entries(CHOOSERS)) assert.ok(choices.length > 2, name);
    const { status, stderr } = spawnSync(process.execPath, ['scripts/lab.mjs', 'constructor'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /npm run lab has no "constructor"/);
  });
});

/** Files that show or hold the commands of an app. */
function isAnothersProject(file: string): boolean {
  return /^(?:examples|network|test|src\/(?:codegen|extension))\//.test(file);
}
