// The extension as its host sees it: what it contributes, and what its providers answer.

const assert = require('node:assert/strict');
const { appendFileSync } = require('node:fs');
const vscode = require('vscode');
const { eventually, extension, settings } = require('./editor.cjs');
const { ownTime } = require('./ownTime.cjs');

const OTHER = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';

describe('the extension in its host', () => {
  after(() => settings().update('payToAddress', undefined, true));

  it('is not active before it is needed, and then becomes active soon', async () => {
    assert.ok(extension);
    assert.equal(extension.isActive, false);
    const before = process.memoryUsage().rss;
    let taken = 0;
    const own = await ownTime('dist/extension.js', async () => {
      const begun = performance.now();
      await extension.activate();
      taken = performance.now() - begun;
    });
    const memory = (process.memoryUsage().rss - before) / 1e6;
    const words = [
      `activated in ${taken.toFixed(0)} ms`,
      `${own.toFixed(0)} ms of it its own, under a profiler`,
      `${memory.toFixed(1)} MB with the profiler`,
      `Code ${vscode.version}`,
      `Node ${process.versions.node}`,
    ].join(', ');
    // A busy machine takes several times what a quiet one does.
    assert.ok(own > 0 && own < 1_000, words);
    if (process.env.SUITE_LOG) appendFileSync(process.env.SUITE_LOG, `      ${words}\n`);
  });

  it('[spec: Editor extension command/Commands] has every contributed command', async () => {
    await extension.activate();
    const known = await vscode.commands.getCommands(true);
    const contributed = extension.packageJSON.contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      contributed.filter((command) => !known.includes(command)),
      [],
    );
  });

  it('offers a payment above a route and in its light bulb, and both can be turned off', async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const file = vscode.Uri.joinPath(folder, 'server.js');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const lenses = () => vscode.commands.executeCommand('vscode.executeCodeLensProvider', file, 10);
    const titles = async () => (await lenses()).map(({ command }) => command?.title ?? '');
    await eventually(async () => assert.match((await titles()).join(), /Add x402 Payment/));
    const at = document.positionAt(document.getText().indexOf('app.get'));
    const actions = async () =>
      (
        await vscode.commands.executeCommand(
          'vscode.executeCodeActionProvider',
          file,
          new vscode.Range(at, at),
        )
      ).map(({ title }) => title);
    assert.ok((await actions()).includes('Add x402 Payment…'));
    assert.ok(!(await actions()).includes('Remove x402 Payment'));

    await settings().update('codeLens', false, true);
    await settings().update('codeActions', false, true);
    await eventually(async () => assert.doesNotMatch((await titles()).join(), /x402/));
    assert.ok(!(await actions()).join().includes('x402'));
    await settings().update('codeLens', undefined, true);
    await settings().update('codeActions', undefined, true);
  });

  it('reports code that pays another address than the setting, and fixes it', async () => {
    await settings().update('payToAddress', OWN, true);
    const document = await vscode.workspace.openTextDocument({
      language: 'javascript',
      content: `// svc-x402: payments\nconst PAYMENT_CONFIG = { payToAddress: '${OTHER}' };\n`,
    });
    const [diagnostic] = await eventually(() => {
      const found = vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ source }) => source === 'svc-x402');
      assert.equal(found.length, 1);
      return found;
    });
    assert.equal(document.getText(diagnostic.range), OTHER);
    const actions = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
    );
    const fix = actions.find(({ title }) => title === 'Pay the configured address');
    assert.ok(fix);
    await vscode.workspace.applyEdit(fix.edit);
    assert.ok(document.getText().includes(OWN));
    await eventually(() =>
      assert.equal(
        vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === 'svc-x402')
          .length,
        0,
      ),
    );
  });

  it('reports code that uses another facilitator than the editor, and fixes it', async () => {
    await settings().update('facilitatorUrl', 'http://127.0.0.1:4999', true);
    const document = await vscode.workspace.openTextDocument({
      language: 'javascript',
      content:
        "// svc-x402: payments\nconst url = process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021';\n",
    });
    const here = () =>
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'svc-x402');
    await eventually(() => assert.equal(here().length, 1));
    const [{ range }] = here();
    assert.equal(document.getText(range), 'http://127.0.0.1:4021');
    const actions = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
    );
    const fix = actions.find(({ title }) => title === 'Use the running facilitator');
    assert.ok(fix);
    await vscode.workspace.applyEdit(fix.edit);
    await eventually(() => assert.equal(here().length, 0));
    await settings().update('facilitatorUrl', undefined, true);
  });

  it('starts the local service and stops it', async () => {
    await vscode.commands.executeCommand('svc-x402.startService');
    await vscode.commands.executeCommand('svc-x402.refreshViews');
    await vscode.commands.executeCommand('svc-x402.stopService');
  });
});
