import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findProgram } from './findProgram.ts';

describe('A package manager is found outside the project', () => {
  let root: string;
  let project: string;
  let tools: string;

  /** Writes a program and creates the folders above it. */
  const put = (...path: string[]) => {
    const file = join(...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
    return file;
  };
  /** Returns what `name a` starts, with these folders in `PATH` and no npm beside this Node. */
  const find = (name: string, platform: string, folders: readonly string[], isNode = true) =>
    findProgram(name, project, {
      environment: { PATH: folders.join(delimiter), SystemRoot: join(root, 'Windows') },
      platform,
      execPath: join(root, 'runtime', 'node'),
      isNode,
    })?.(['a']);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-program-')));
    project = join(root, 'project');
    tools = join(root, 'the tools');
    mkdirSync(project);
    mkdirSync(tools);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('P2: npm.cmd and npm.exe of the project are not run on Windows', () => {
    put(project, 'npm.cmd');
    put(project, 'npm.exe');
    assert.equal(find('npm', 'win32', ['', '.', project]), undefined);
    const script = put(tools, 'npm.cmd');
    assert.deepEqual(find('npm', 'win32', ['', '.', project, tools]), {
      command: join(root, 'Windows', 'System32', 'cmd.exe'),
      args: ['/d', '/s', '/c', `""${script}" "a""`],
      windowsVerbatimArguments: true,
    });
  });

  it('npm of the project is not run elsewhere', () => {
    put(project, 'npm');
    put(project, 'bin', 'npm');
    const folders = ['', '.', project, join(project, 'bin'), join(project, '..', 'project')];
    assert.equal(find('npm', 'linux', folders), undefined);
    const npm = put(tools, 'npm');
    assert.equal(find('npm', 'linux', [...folders, tools])?.command, npm);
  });

  it('nor through a link into the project, nor if the project itself is named by a link', () => {
    put(project, 'bin', 'npm');
    symlinkSync(join(project, 'bin'), join(root, 'linked-bin'));
    symlinkSync(join(project, 'bin', 'npm'), join(tools, 'npm'));
    assert.equal(find('npm', 'linux', [join(root, 'linked-bin'), tools]), undefined);
    const real = project;
    project = join(root, 'linked-project');
    symlinkSync(real, project);
    assert.equal(find('npm', 'linux', [join(real, 'bin')]), undefined);
  });

  it("nor npm's script and Node, if they are in the project", () => {
    put(project, 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    mkdirSync(join(root, 'lib'));
    symlinkSync(join(project, 'lib', 'node_modules'), join(root, 'lib', 'node_modules'));
    assert.equal(find('npm', 'linux', [tools]), undefined);
    rmSync(join(root, 'lib'), { recursive: true });
    const script = put(tools, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    put(project, 'node');
    symlinkSync(join(project, 'node'), join(tools, 'node'));
    assert.equal(find('npm', 'linux', [tools])?.command, join(root, 'runtime', 'node'));
    assert.deepEqual(find('npm', 'linux', [tools])?.args, [script, 'a']);
  });

  it('nor programs that packages of a parent folder put into node_modules/.bin', () => {
    const bin = join(root, 'node_modules', '.bin');
    put(bin, 'npm');
    assert.equal(find('npm', 'linux', [bin, `${bin}/`]), undefined);
  });

  it("npm's script runs on the Node beside it, and an editor does not replace Node", () => {
    const script = put(tools, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    put(tools, 'npm.cmd');
    const editor = find('npm', 'win32', [tools], false);
    assert.equal(editor?.command, join(root, 'Windows', 'System32', 'cmd.exe'));
    const node = put(tools, 'node.exe');
    for (const isNode of [true, false])
      assert.deepEqual(find('npm', 'win32', [tools], isNode), {
        command: node,
        args: [script, 'a'],
        windowsVerbatimArguments: false,
      });
  });

  it('without npm on the PATH, the npm next to this Node runs', () => {
    const script = put(root, 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    assert.deepEqual(find('npm', 'linux', [])?.args, [script, 'a']);
    assert.equal(find('pnpm', 'linux', []), undefined);
  });

  it('folders of that name, files that are not programs and PATH entries that are files are skipped', () => {
    mkdirSync(join(tools, 'pnpm'));
    writeFileSync(join(root, 'pnpm'), '');
    assert.equal(find('pnpm', 'linux', [tools, root, join(root, 'pnpm')]), undefined);
  });

  it('an argument that cmd.exe would read as more than one word is refused', () => {
    put(tools, 'pnpm.cmd');
    const pnpm = findProgram('pnpm', project, {
      environment: { Path: tools },
      platform: 'win32',
    });
    assert.ok(pnpm);
    for (const arg of ['a"&calc', '%PATH%', 'a\r\nb']) assert.throws(() => pnpm([arg]), RangeError);
  });
});
