import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseRuntime, type RuntimeFacts } from './nodeRuntime.ts';

const facts = (rest: Partial<RuntimeFacts>): RuntimeFacts => ({
  editorPath: '/editor/electron',
  editorVersion: '16.17.1',
  settingPath: undefined,
  versionOf: async () => undefined,
  ...rest,
});

describe('children run on', () => {
  it("[spec: Limits/Editor requirements] the editor's own runtime from Node 18 on", async () => {
    for (const editorVersion of ['18.15.0', '24.1.0']) {
      const choice = await chooseRuntime(facts({ editorVersion }));
      assert.ok(choice.ok);
      assert.equal(choice.runtime.command, '/editor/electron');
      assert.equal(choice.runtime.environment['ELECTRON_RUN_AS_NODE'], '1');
    }
  });

  it('else node from the PATH', async () => {
    const choice = await chooseRuntime(facts({ versionOf: async () => 'v20.1.0' }));
    assert.deepEqual(choice, { ok: true, runtime: { command: 'node', environment: {} } });
  });

  it('else on nothing, with advice on what to install', async () => {
    for (const version of [undefined, 'v16.20.0']) {
      const choice = await chooseRuntime(facts({ versionOf: async () => version }));
      assert.equal(choice.ok, false);
      assert.match(choice.ok ? '' : choice.message, /Install Node 18 or later/);
    }
  });

  it('the runtime in the setting takes precedence', async () => {
    const settingPath = '/opt/node';
    const good = await chooseRuntime(facts({ settingPath, versionOf: async () => 'v22.0.0' }));
    assert.ok(good.ok && good.runtime.command === settingPath);
    const old = await chooseRuntime(facts({ settingPath, versionOf: async () => 'v16.0.0' }));
    assert.equal(old.ok, false);
  });
});
