import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { npmIn } from './npmIn.ts';

describe("npm runs in the project's folder", {
  skip: process.platform === 'win32',
}, () => {
  let root: string;
  let project: string;
  let tools: string;

  const writeNpm = (folder: string, script: string) => {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'npm'), 0o755);
  };
  /** npm with the project first in PATH, and no npm next to this Node. */
  const npm = (longestMs?: number) =>
    npmIn(project, {
      ...(longestMs === undefined ? {} : { longestMs }),
      search: {
        environment: { PATH: ['', project, tools].join(delimiter) },
        execPath: join(root, 'node'),
      },
    });

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-npm-')));
    project = join(root, 'project');
    tools = join(root, 'tools');
    mkdirSync(project);
    mkdirSync(tools);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('and returns its output and exit code', async () => {
    writeNpm(tools, 'pwd; echo "$@"; exit 3');
    const answer = await npm()(['view', 'a b']);
    assert.deepEqual(answer, { exitCode: 3, output: `${project}\nview a b\n` });
  });

  it('P2: an npm of the project is not run, though PATH has it first', async () => {
    const mark = join(root, 'ran');
    writeNpm(project, `touch '${mark}'`);
    assert.deepEqual(await npm()([]), { exitCode: undefined, output: '' });
    writeNpm(tools, 'echo outside');
    assert.deepEqual(await npm()([]), { exitCode: 0, output: 'outside\n' });
    assert.equal(existsSync(mark), false);
  });

  it('npm is killed at the timeout, with an empty result', async () => {
    writeNpm(tools, 'exec sleep 20');
    const begun = Date.now();
    assert.deepEqual(await npm(200)([]), { exitCode: undefined, output: '' });
    assert.ok(Date.now() - begun < 10_000);
  });

  it('without npm the result is empty', async () => {
    assert.deepEqual(await npm()([]), { exitCode: undefined, output: '' });
  });
});
