// The tools for the editor's own agents, in editors that have such tools; the others must work without them.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { eventually, extension, settings } = require('./editor.cjs');

const supported = typeof vscode.lm?.registerTool === 'function';
const contributed = () => extension.packageJSON.contributes.languageModelTools;

describe('tools for agents in the editor', () => {
  before(() => extension.activate());
  after(async () => {
    await settings().update('mcp', undefined, true);
    await settings().update('agentKeyFile', undefined, true);
  });

  const use = (name, input) =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });

  it('the extension is active, whether the editor has tools or not', () => {
    assert.equal(extension.isActive, true);
  });

  if (!supported) return;

  it('every contributed tool is known', async () => {
    const names = contributed().map(({ name }) => name);
    await settings().update('mcp', 'on', true);
    await settings().update('agentKeyFile', '/nowhere/agent.json', true);
    await eventually(() => {
      const known = vscode.lm.tools.map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => !known.includes(name)),
        [],
      );
    });
    await settings().update('agentKeyFile', undefined, true);
  });

  it('the search answers in text, by the MCP server', async () => {
    await settings().update('mcp', 'on', true);
    const { content } = await eventually(() =>
      use('x402_search_resources', { query: 'weather by city' }),
    );
    const text = content.map(({ value }) => value).join('');
    // Found, nothing found, or the service is down: in each case the words of the server.
    assert.match(
      text,
      /Nothing found|found, best first|Nothing seems to fit|svc-x402 dev|catalog/i,
    );
  });

  it('is refused while its setting does not allow it', async () => {
    await settings().update('mcp', 'off', true);
    await eventually(() =>
      assert.rejects(
        use('x402_search_resources', { query: 'weather' }),
        /aren't allowed to search/,
      ),
    );
    await assert.rejects(use('x402_budget', {}), /aren't allowed to pay/);
  });
});
