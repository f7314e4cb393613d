import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { Node, Project } from 'ts-morph';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const APP = `import express from 'express';

const app = express();

// Quotes'}); process.exit(7); ({x:'
app.get('/quote', (_req, res) => {
  res.json({ price: 1 });
});
`;

/** What is called in a text of TypeScript, as the compiler reads it. */
function calls(text: string): Set<string> {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile('a.ts', text);
  return new Set(
    file
      .getDescendants()
      .filter(Node.isCallExpression)
      .map((call) => call.getExpression().getText()),
  );
}

describe('A hostile workspace cannot run code', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  let place = '';
  let count = 0;

  beforeEach(() => {
    count += 1;
    place = join(folder.path, `${count}`);
    mkdirSync(join(place, 'src'), { recursive: true });
    writeFileSync(join(place, 'src', 'app.ts'), APP);
  });

  const add = (...more: string[]) =>
    new CliProcess(['add', join(place, 'src', 'app.ts'), '--pay-to', PAY_TO, ...more], {
      SVC_X402_DATA_DIR: folder.path,
    }).ended;

  it('texts from package.json and comments are written as strings, never as code', async () => {
    const name = `'}); require('child_process').execSync('touch pwned'); ({x:'`;
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, type: 'module' }));
    const { code, stderr } = await add();
    assert.equal(code, 0, stderr);
    const found = calls(readFileSync(join(place, 'src', 'app.ts'), 'utf8'));
    assert.ok(found.has('paymentMiddleware'));
    for (const call of found) assert.doesNotMatch(call, /execSync|^require$|process\.exit/);
  });

  it('a package.json that is invalid or has wrong types is ignored', async () => {
    for (const text of ['{', '{"name":{"a":1},"dependencies":7,"type":3}']) {
      writeFileSync(join(place, 'package.json'), text);
      writeFileSync(join(place, 'src', 'app.ts'), APP);
      const { code, stderr } = await add();
      assert.equal(code, 0, `${text}: ${stderr}`);
    }
  });

  it('the package manager is a known one, whatever the project says', async () => {
    writeFileSync(
      join(place, 'package.json'),
      JSON.stringify({ name: 'a', packageManager: 'sh -c "touch pwned" #@1.0.0' }),
    );
    const { code, stdout, stderr } = await add();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /&& (npm|pnpm|yarn|bun) (i|add) /);
    assert.doesNotMatch(stdout, /touch/);
  });

  it('none of its code is executed: no config, no plugin, no script', async () => {
    const mark = join(place, 'executed');
    const spring = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`;
    writeFileSync(
      join(place, 'package.json'),
      JSON.stringify({ name: 'a', scripts: { preinstall: `node -e "${spring}"` } }),
    );
    for (const name of ['index.js', '.pnpmfile.cjs', 'next.config.js', 'tsconfig.js'])
      writeFileSync(join(place, name), spring);
    mkdirSync(join(place, 'node_modules', 'next'), { recursive: true });
    writeFileSync(join(place, 'node_modules', 'next', 'index.js'), spring);
    writeFileSync(join(place, 'node_modules', 'next', 'package.json'), '{"version":"16.2.6"}');
    const { code, stderr } = await add();
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(mark), false);
  });

  it('a link changes its target, only if it is named, and removing restores it', async () => {
    const outside = join(folder.path, `outside-${count}.ts`);
    writeFileSync(outside, APP);
    const link = join(place, 'src', 'link.ts');
    symlinkSync(outside, link);
    assert.equal((await add()).code, 0);
    assert.equal(readFileSync(outside, 'utf8'), APP);
    assert.equal((await new CliProcess(['add', link, '--pay-to', PAY_TO]).ended).code, 0);
    assert.notEqual(readFileSync(outside, 'utf8'), APP);
    assert.equal((await new CliProcess(['remove', link]).ended).code, 0);
    assert.equal(readFileSync(outside, 'utf8'), APP);
  });
});

describe('Settings that a workspace cannot decide', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
    contributes: { configuration: { properties: Record<string, { scope?: string }> } };
  };
  const { properties } = manifest.contributes.configuration;

  it('the program that the editor starts, and the folder of its keys: only the machine’s settings', () => {
    for (const name of ['svc-x402.nodePath', 'svc-x402.dataFolder'])
      assert.equal(properties[name]?.scope, 'machine', name);
  });

  it('the editor’s addresses and the account that code pays, while it is not trusted', () => {
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    const named = Object.keys(properties).filter((name) =>
      /Url$|payTo|network|Path|Folder/.test(name),
    );
    assert.ok(named.length >= 9);
    for (const name of named) assert.ok(restricted.has(name), name);
  });
});
