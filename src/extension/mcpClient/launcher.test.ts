import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeLauncher } from './launcher.ts';

describe('E11: a copied MCP configuration outlives an update', () => {
  let home = '';
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'launcher-'));
  });
  after(() => rmSync(home, { recursive: true }));

  const install = (version: string) => {
    const dist = join(home, `extensions/svc-x402.svc-x402-${version}/dist`);
    mkdirSync(dist, { recursive: true });
    writeFileSync(join(dist, 'mcp.js'), `console.log('${version}')`);
    return join(dist, 'mcp.js');
  };
  const run = (launcher: string) => spawnSync(process.execPath, [launcher], { encoding: 'utf8' });

  it('the program it names starts the newest version, even if the one that wrote it is gone', async () => {
    const bundle = install('0.9.0');
    const launcher = await writeLauncher(join(home, 'storage'), bundle);
    assert.doesNotMatch(launcher, /0\.9\.0/);
    assert.equal(run(launcher).stdout, '0.9.0\n');
    install('0.10.0-linux-x64');
    install('0.4.0');
    assert.equal(run(launcher).stdout, '0.10.0-linux-x64\n');
    rmSync(join(bundle, '../..'), { recursive: true });
    assert.equal(run(launcher).stdout, '0.10.0-linux-x64\n');
  });

  it('a version of another extension with the same prefix is not started', async () => {
    const other = join(home, 'extensions/svc-x402.svc-x402-theme-9.0.0/dist');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'mcp.js'), "console.log('wrong')");
    const launcher = await writeLauncher(join(home, 'storage'), install('1.0.0'));
    assert.equal(run(launcher).stdout, '1.0.0\n');
  });

  it('an uninstalled extension is reported, without a stack trace', async () => {
    const launcher = await writeLauncher(join(home, 'storage'), '/nowhere/dist/mcp.js');
    const { status, stderr } = run(launcher);
    assert.equal(status, 1);
    assert.match(stderr, /^Svc x402 is no longer installed[^\n]*\n$/);
  });
});
