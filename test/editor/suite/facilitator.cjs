// Code always finds its facilitator: what is written into it, and what is said while there is none.

const assert = require('node:assert/strict');
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vscode = require('vscode');
const { eventually, extension, settings } = require('./editor.cjs');

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const GATED = '// svc-x402: payments\nconst PAYMENT_CONFIG = {};\n// svc-x402: end of payments\n';

describe('code finds its facilitator', () => {
  let squatter;

  before(async () => {
    await extension.activate();
    await settings().update('payToAddress', OWN, true);
    await vscode.commands.executeCommand('svc-x402.stopService');
    squatter = createServer();
    await new Promise((resolve) =>
      squatter.once('error', resolve).listen(4021, '127.0.0.1', resolve),
    );
  });

  after(async () => {
    squatter.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('svc-x402.stopService');
    await settings().update('payToAddress', undefined, true);
  });

  const notes = (uri) =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source, code }) => source === 'svc-x402' && code === 'service-stopped');

  it("E1: says on the gate that the local service isn't running, and starts it by a fix", async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'javascript',
      content: GATED,
    });
    // A window with a gate starts the service by itself, unless it was stopped on purpose.
    const [note] = await eventually(() => {
      const found = notes(document.uri);
      assert.equal(found.length, 1);
      return found;
    });
    assert.match(note.message, /The local service is stopped/);
    const actions = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      note.range,
    );
    const fix = actions.find(({ title }) => title === 'Start the local service');
    assert.ok(fix);
    await vscode.commands.executeCommand(fix.command.command);
    await eventually(() => assert.equal(notes(document.uri).length, 0));
    await vscode.commands.executeCommand('svc-x402.stopService');
  });

  it('E3: a debug session has the facilitator in its environment, even while the service starts', async function () {
    if (vscode.extensions.getExtension('ms-vscode.js-debug') === undefined) this.skip();
    // The untitled document of the test before would be saved first, and asks for its name.
    const debugging = vscode.workspace.getConfiguration('debug');
    await debugging.update('saveBeforeStart', 'none', true);
    const folder = mkdtempSync(join(tmpdir(), 'svc-debug-'));
    const program = join(folder, 'server.cjs');
    const seen = join(folder, 'seen');
    writeFileSync(
      program,
      `require('node:fs').writeFileSync(${JSON.stringify(seen)}, process.env.FACILITATOR_URL ?? 'none');\n`,
    );
    await vscode.commands.executeCommand('svc-x402.stopService');
    const starting = vscode.commands.executeCommand('svc-x402.startService');
    const configuration = { type: 'node', request: 'launch', name: 'server', program };
    assert.equal(await vscode.debug.startDebugging(undefined, configuration), true);
    await starting;
    const url = await eventually(() => {
      const text = readFileSync(seen, 'utf8');
      assert.notEqual(text, '');
      return text;
    });
    await vscode.debug.stopDebugging();
    await debugging.update('saveBeforeStart', undefined, true);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    assert.doesNotMatch(url, /:4021$/);
  });

  it('E2: a window that has not attached writes the service’s real address, not an assumed one', async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder, 'server.js'),
    );
    await vscode.window.showTextDocument(document);
    const running = vscode.commands.executeCommand('svc-x402.addPayment');
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      assert.match(document.getText(), /paymentMiddleware\(/);
    });
    await vscode.commands.executeCommand('notifications.clearAll');
    const [, written] = /FACILITATOR_URL \?\? '([^']+)'/.exec(document.getText());
    assert.equal((await fetch(`${written}/health`)).status, 200);
    assert.doesNotMatch(written, /:4021$/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    void running;
  });
});
