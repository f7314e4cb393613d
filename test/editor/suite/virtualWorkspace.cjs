// A file that is not on a disk, as in a virtual workspace: its code can be changed, and nothing runs.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { eventually, extension, settings } = require('./editor.cjs');

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const SCHEME = 'svc-test-memory';

const APP = `import express from 'express';
const app = express();
app.get('/weather', (request, response) => response.json({ tempC: 19 }));
app.listen(3000);
`;

/** Files in memory, behind the editor's own interface for them. */
function memoryFiles(contents) {
  const files = new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)]));
  const changes = new vscode.EventEmitter();
  const found = (uri) => {
    const file = files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  return {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose() {} }),
    stat: (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: found(uri).length,
    }),
    readFile: found,
    writeFile: (uri, text) => void files.set(uri.path, Buffer.from(text)),
    readDirectory: () => [],
    createDirectory() {},
    delete: (uri) => void files.delete(uri.path),
    rename() {},
  };
}

describe('a virtual workspace', () => {
  let files;

  before(async () => {
    await extension.activate();
    files = vscode.workspace.registerFileSystemProvider(
      SCHEME,
      memoryFiles({
        '/app/server.js': APP,
        '/app/package.json': '{"name":"far-away","type":"module"}',
      }),
    );
    await settings().update('payToAddress', OWN, true);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await settings().update('payToAddress', undefined, true);
    files.dispose();
  });

  it('is declared as having limited support, with the reason', () => {
    const { supported, description } = extension.packageJSON.capabilities.virtualWorkspaces;
    assert.equal(supported, 'limited');
    assert.match(description, /can't install packages/);
  });

  it('its code is changed, following its package.json, and no package manager runs', async () => {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: '/app/server.js' });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const started = [];
    const listener = vscode.tasks.onDidStartTask((event) => started.push(event));
    const running = vscode.commands.executeCommand('svc-x402.addPayment');
    // The route, then the price.
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      assert.match(document.getText(), /paymentMiddleware\(/);
    });
    await running;
    assert.match(document.getText(), /serviceName: 'far-away'/);
    assert.match(document.getText(), new RegExp(OWN));
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.equal(started.length, 0);
    listener.dispose();
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
