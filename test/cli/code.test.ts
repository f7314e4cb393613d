import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const APP = `import express from 'express';

const app = express();

app.get('/quote', (_req, res) => {
  res.json({ price: 1 });
});
`;

describe('svc-x402 add and remove', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  mkdirSync(join(folder.path, 'src'), { recursive: true });
  writeFileSync(
    join(folder.path, 'package.json'),
    '{ "name": "@acme/quotes", "type": "module" }\n',
  );
  writeFileSync(join(folder.path, 'pnpm-lock.yaml'), '');

  function write(name: string, text: string): string {
    const path = join(folder.path, 'src', name);
    writeFileSync(path, text);
    return path;
  }

  it('changes the file, tells the command that installs, and gives the file back', async () => {
    const path = write('app.ts', APP);
    const environment = { SVC_X402_DATA_DIR: folder.path };
    const args = ['add', path, '--price', '0.05', '--pay-to', PAY_TO];
    const added = await new CliProcess(args, environment).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Payment added: GET \/quote/);
    assert.match(added.stdout, /pnpm add --save-exact @x402\/core@2\.21\.0/);
    const changed = readFileSync(path, 'utf8');
    assert.match(changed, /price: '\$0\.05'/);
    assert.match(changed, /serviceName: 'quotes'/);

    const again = await new CliProcess(args, environment).ended;
    assert.equal(again.code, 1);
    assert.match(again.stderr, /has a payment already/);

    const removed = await new CliProcess(['remove', path]).ended;
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('folders above the project that are called app are not in the path of a Next.js route', async () => {
    const root = join(folder.path, 'app');
    mkdirSync(join(root, 'app/time/[zone]'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "next": "16.2.6" } }\n');
    const path = join(root, 'app/time/[zone]/route.ts');
    writeFileSync(path, 'export const GET = async () => Response.json({ hour: 7 });\n');
    const added = await new CliProcess(['add', path, '--pay-to', PAY_TO]).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Payment added: GET \/time\/\[zone\] in/);
    assert.equal((await new CliProcess(['remove', path]).ended).code, 0);
  });

  it('a dry run shows the lines and writes nothing', async () => {
    const path = write('dry.ts', APP);
    const { code, stdout } = await new CliProcess(['add', path, '--pay-to', PAY_TO, '--dry-run'])
      .ended;
    assert.equal(code, 0);
    assert.match(stdout, /^@@ line 2\n\+import \{ HTTPFacilitatorClient \}/);
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('several endpoints are listed with their lines, and one is taken by its line', async () => {
    const two = `${APP}\napp.get('/other', (_req, res) => {\n  res.json({ other: 1 });\n});\n`;
    const path = write('two.ts', two);
    const asked = await new CliProcess(['add', path, '--pay-to', PAY_TO]).ended;
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /:5 {2}GET \/quote\n {2}:9 {2}GET \/other/);
    const { code } = await new CliProcess(['add', `${path}:10`, '--pay-to', PAY_TO]).ended;
    assert.equal(code, 0);
    assert.match(readFileSync(path, 'utf8'), /'GET \/other'/);
  });

  it('tells a mistake in a sentence, and leaves the file alone', async () => {
    const path = write('mistakes.ts', APP);
    const bytes = join(folder.path, 'src', 'latin.ts');
    writeFileSync(bytes, Buffer.from([0x2f, 0x2f, 0xe9, 0x0a]));
    const mistakes: readonly (readonly [string[], RegExp])[] = [
      [[path, '--pay-to', PAY_TO, '--price', '0'], /no price/],
      [[path, '--pay-to', PAY_TO, '--price', '0.00000001'], /at most 7 decimals/],
      [[path, '--pay-to', `${PAY_TO.slice(0, -1)}A`], /no Stellar address/],
      [[join(folder.path, 'none.ts'), '--pay-to', PAY_TO], /There is no file/],
      [[bytes, '--pay-to', PAY_TO], /no UTF-8 text/],
    ];
    for (const [args, expected] of mistakes) {
      const { code, stderr } = await new CliProcess(['add', ...args]).ended;
      assert.ok(code === 1 || code === 2);
      assert.match(stderr, expected);
    }
    assert.equal(readFileSync(path, 'utf8'), APP);
  });
});
