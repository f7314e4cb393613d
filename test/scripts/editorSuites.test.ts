import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');

describe('The suites of the extension', () => {
  const drivers = ['test/editor/host.mjs', 'scripts/testDesktop.mjs'];

  it('are the same in desktop VS Code and in code-server, and use the same project', () => {
    for (const driver of drivers) {
      const source = read(driver);
      assert.match(source, /makeSuiteProject\(\)/, driver);
      assert.match(source, /\bsuiteEntry\b/, driver);
      assert.match(source, /allPassed\(report\)/, driver);
      assert.doesNotMatch(source, /fixtures|'suite'/, driver);
    }
  });

  it('include every test file', () => {
    const suite = readdirSync(join(root, 'test/editor/suite'))
      .filter((name) => /\bdescribe\(/.test(read(`test/editor/suite/${name}`)))
      .map((name) => name.replace('.cjs', ''))
      .sort();
    const listed = [
      ...(
        /for \(const name of \[([\s\S]*?)\]/.exec(read('test/editor/suite/index.cjs'))?.[1] ?? ''
      ).matchAll(/'(\w+)'/g),
    ].map(([, name = '']) => name);
    assert.deepEqual([...listed].sort(), suite);
  });

  it('and .ci/editor runs all workbench suites', () => {
    const ci = read('.ci/editor');
    const all = [...ci.matchAll(/suites\+?=\(([\w ]+)\)/g)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    for (const name of readdirSync(join(root, 'test/editor'))) {
      const suite = /^(\w+)\.ui\.mjs$/.exec(name)?.[1];
      if (suite === undefined) continue;
      assert.ok(all.includes(suite) || ci.includes(`test/editor/${name}`), name);
    }
  });
});
