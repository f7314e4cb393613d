// What the editor does with an endpoint that is paid: the same check as `svc-x402 check`, and a new price.

const assert = require('node:assert/strict');
const { mkdirSync, mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vscode = require('vscode');
const { eventually, extension, settings } = require('./editor.cjs');

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const CONFIG = '{\n  "compilerOptions": {\n    "module": "commonjs"\n  }\n}\n';

/** A project whose payment was added, and whose app asks for one by itself: no packages are needed. */
function project(status) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-paid-'));
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"start":"node server.cjs"}}');
  writeFileSync(
    join(folder, 'server.cjs'),
    `require('node:http')
  .createServer((request, response) => {
    response.statusCode = request.url.startsWith('/weather') ? ${status} : 404;
    response.end('{}');
  })
  .listen(process.env.PORT);
`,
  );
  writeFileSync(
    join(folder, 'app.js'),
    `import express from 'express';
const app = express();
app.get('/weather', (request, response) => response.json({ tempC: 19 }));
`,
  );
  return folder;
}

async function open(path) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Runs a command and confirms what it asks until something is true. */
async function confirming(command, done, ...given) {
  const running = vscode.commands.executeCommand(command, ...given);
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    // A change with a note that the user has to read is shown first.
    await vscode.commands.executeCommand('svc-x402.applyChange');
    assert.ok(done());
  });
  await vscode.commands.executeCommand('notifications.clearAll');
  return running;
}

describe('a paid endpoint in the editor', () => {
  before(async () => {
    await extension.activate();
    await settings().update('payToAddress', OWN, true);
    await settings().update('facilitatorUrl', 'http://127.0.0.1:4021', true);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await settings().update('payToAddress', undefined, true);
    await settings().update('facilitatorUrl', undefined, true);
  });

  it('has lenses to test, check, price and remove it', async () => {
    const document = await open(join(project(402), 'app.js'));
    await confirming('svc-x402.addPayment', () => /paymentMiddleware\(/.test(document.getText()));
    const titles = async () =>
      (
        await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 20)
      ).map(({ command }) => command?.command);
    await eventually(async () =>
      assert.deepEqual(await titles(), [
        // Nothing was installed in this project.
        'svc-x402.installPackages',
        'svc-x402.testRoute',
        'svc-x402.checkRoute',
        'svc-x402.changePrice',
        'svc-x402.removePayment',
      ]),
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('E14: the request panel suggests the URL, the method and the body that the lens knows', async () => {
    const folder = project(402);
    writeFileSync(
      join(folder, 'quotes.js'),
      `import express from 'express';
const app = express();
app.use(express.json());
app.get('/free', (request, response) => response.json({}));
app.post('/quotes/:pair', (request, response) => response.json({ pair: request.params.pair }));
app.listen(4517);
`,
    );
    const document = await open(join(folder, 'quotes.js'));
    const place = document.positionAt(document.getText().indexOf('app.post'));
    vscode.window.activeTextEditor.selection = new vscode.Selection(place, place);
    await confirming('svc-x402.addPayment', () => /paymentMiddleware\(/.test(document.getText()));
    const lenses = await eventually(async () => {
      const found = await vscode.commands.executeCommand(
        'vscode.executeCodeLensProvider',
        document.uri,
        20,
      );
      const tests = found.filter(({ command }) => command?.command === 'svc-x402.testRoute');
      assert.equal(tests.length, 1);
      return tests;
    });
    const [{ command }] = lenses;
    const byLens = await vscode.commands.executeCommand(command.command, ...command.arguments);
    assert.equal(byLens.url, 'http://localhost:4517/quotes/:pair');
    assert.equal(byLens.method, 'POST');
    assert.deepEqual(
      byLens.pathParams.map(({ name }) => name),
      ['pair'],
    );
    // The palette proposes the same while the file is open.
    await vscode.window.showTextDocument(document);
    const byPalette = await vscode.commands.executeCommand('svc-x402.testEndpointByUrl');
    assert.equal(byPalette.url, byLens.url);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  for (const [status, words] of [
    [402, /GET \/weather at \/weather: passed/],
    [200, /No request was asked for a payment/],
  ]) {
    it(`is checked in the app that is started: it answers ${status}`, async function () {
      // A process of its own, which starts two more.
      this.timeout(300_000);
      const folder = project(status);
      const document = await open(join(folder, 'app.js'));
      await confirming('svc-x402.addPayment', () => /paymentMiddleware\(/.test(document.getText()));
      let ended;
      // The list closes without a choice where something else takes the focus: then people ask again.
      const ask = async () => {
        await vscode.window.showTextDocument(document);
        ended = await vscode.commands.executeCommand('svc-x402.checkRoute');
        if (ended === undefined) await ask();
      };
      void ask();
      // The route is confirmed as soon as the list is shown.
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        assert.ok(ended);
      }, 240_000);
      const { passed, output } = ended;
      // The file was saved first: the app that is started reads it from the disk.
      assert.match(readFileSync(join(folder, 'app.js'), 'utf8'), /paymentMiddleware/);
      assert.equal(passed, status === 402, output);
      assert.match(output, /GET \/weather/);
      assert.match(output, words);
      await vscode.commands.executeCommand('notifications.clearAll');
    });
  }

  it('gets a new price in place', async () => {
    const document = await open(join(project(402), 'app.js'));
    await confirming('svc-x402.addPayment', () => /paymentMiddleware\(/.test(document.getText()));
    const before = document.getText();
    const priced = () => document.getText().includes("price: '$2.5'");
    await confirming('svc-x402.changePrice', priced, before.indexOf('app.get'), '2.5');
    assert.equal(document.getText(), before.replace("price: '$0.01'", "price: '$2.5'"));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is listed in the app’s /.well-known/x402, and removed with its payment', async () => {
    const folder = project(402);
    const listed = join(folder, 'public/.well-known/x402');
    mkdirSync(join(folder, 'public/.well-known'), { recursive: true });
    writeFileSync(listed, '{"version":1,"resources":["https://api.example/other"]}');
    const resources = () => JSON.parse(readFileSync(listed, 'utf8')).resources;
    const document = await open(join(folder, 'app.js'));
    await confirming('svc-x402.addPayment', () => /paymentMiddleware\(/.test(document.getText()));
    await eventually(async () =>
      assert.deepEqual(resources(), ['https://api.example/other', 'https://api.example/weather']),
    );
    const gone = () => !/paymentMiddleware\(/.test(document.getText());
    await confirming('svc-x402.removePayment', gone, document.getText().indexOf('app.get'));
    await eventually(async () => assert.deepEqual(resources(), ['https://api.example/other']));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is written as on the command line, following the manifest, the formatter and the TypeScript settings', async () => {
    const folder = project(402);
    writeFileSync(join(folder, '.prettierrc'), '{"semi":false,"singleQuote":true,"useTabs":true}');
    writeFileSync(
      join(folder, 'package.json'),
      '{"name":"shop","dependencies":{"fastify":"^5.0.0"}}',
    );
    // Only the manifest shows that this is Fastify.
    writeFileSync(
      join(folder, 'plugin.js'),
      "export default async function (app) {\n\tapp.get('/x', async (req, res) => ({}))\n}\n",
    );
    const document = await open(join(folder, 'plugin.js'));
    await confirming('svc-x402.addPayment', () => /forRoute\(app/.test(document.getText()));
    assert.match(document.getText(), /\n\t\tforRoute\(app, 'GET', '\/x'\),\n/);
    assert.doesNotMatch(document.getText(), /;\n/);
    await vscode.commands.executeCommand('workbench.action.files.revert');

    writeFileSync(join(folder, 'tsconfig.json'), CONFIG);
    writeFileSync(
      join(folder, 'typed.ts'),
      "import fastify from 'fastify'\nconst app = fastify()\napp.get('/x', async () => ({}))\n",
    );
    const typed = await open(join(folder, 'typed.ts'));
    // The route, then tsconfig.json, which comes first.
    await confirming('svc-x402.addPayment', () =>
      /tsconfig\.json$/.test(vscode.window.activeTextEditor?.document.uri.path ?? ''),
    );
    assert.doesNotMatch(typed.getText(), /paymentMiddleware/);
  });
});
