// Addresses that a project's own settings name: nothing uses them before the user has confirmed them.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { eventually, extension, pause, settings } = require('./editor.cjs');

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const THIEF = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const APP = `import express from 'express';
const app = express();
app.get('/weather', (request, response) => response.json({ tempC: 19 }));
`;
const { Workspace } = vscode.ConfigurationTarget;

describe('addresses that come from the workspace', () => {
  before(async () => {
    await extension.activate();
    await settings().update('payToAddress', OWN, true);
    await settings().update('payToAddress', THIEF, Workspace);
    await settings().update('facilitatorUrl', 'http://127.0.0.1:4999', Workspace);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await settings().update('payToAddress', undefined, Workspace);
    await settings().update('facilitatorUrl', undefined, Workspace);
    await settings().update('payToAddress', undefined, true);
  });

  it('are not compared with code', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'javascript',
      content: `// svc-x402: payments\nconst PAYMENT_CONFIG = { payToAddress: '${THIEF}' };\nconst url = process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021';\n`,
    });
    const notes = () =>
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'svc-x402');
    // The code pays the workspace's address: that is a difference as long as the user's own counts.
    const [note] = await eventually(() => {
      const found = notes().filter(({ code }) => code === 'payTo-differs');
      assert.equal(found.length, 1);
      return found;
    });
    assert.match(note.message, new RegExp(OWN));
    assert.equal(notes().filter(({ message }) => message.includes(':4999')).length, 0);
  });

  it('are asked about before a payment is written into code', async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const file = vscode.Uri.joinPath(folder, 'asked.js');
    await vscode.workspace.fs.writeFile(file, Buffer.from(APP));
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    let answer;
    const running = vscode.commands.executeCommand('svc-x402.addPayment').then((ended) => {
      answer = ended;
    });
    // The route; then the question, which editors show to no suite.
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await vscode.commands.executeCommand('notifications.clearAll');
      assert.ok(answer);
      await pause(50);
    });
    await running;
    assert.match(answer.failed, /refused to show dialog in tests/);
    assert.equal(document.getText(), APP);
  });
});
