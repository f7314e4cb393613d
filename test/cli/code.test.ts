import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
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

  it('changes the file, prints the command that installs, and restores the file', async () => {
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
    assert.match(again.stderr, /already has a payment/);

    const removed = await new CliProcess(['remove', path]).ended;
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('lists sold routes in the app’s /.well-known/x402, and removes them again', async () => {
    const root = join(folder.path, 'well-known');
    const file = join(root, 'public/.well-known/x402');
    mkdirSync(join(root, 'public'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }\n');
    const app = join(root, 'app.js');
    const text = `${APP}\napp.get('/time', (_req, res) => {\n  res.json({ hour: 7 });\n});\n`;
    writeFileSync(app, text);
    const add = async (route: string, ...more: string[]) => {
      const args = ['add', app, '--route', route, '--pay-to', PAY_TO, ...more];
      const ended = await new CliProcess(args, { SVC_X402_DATA_DIR: folder.path }).ended;
      assert.equal(ended.code, 0, ended.stderr);
      return ended.stdout;
    };
    const resources = () =>
      (JSON.parse(readFileSync(file, 'utf8')) as { resources: string[] }).resources;

    await add('GET /quote', '--dry-run', '--origin', 'https://api.example');
    assert.equal(existsSync(file), false);
    assert.match(await add('GET /quote', '--origin', 'https://api.example'), /Updated .*x402/);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      version: 1,
      resources: ['https://api.example/quote'],
    });
    // Later payments need no origin.
    await add('GET /time');
    assert.deepEqual(resources(), ['https://api.example/quote', 'https://api.example/time']);

    for (const route of ['GET /quote', 'GET /time']) {
      const removed = await new CliProcess(['remove', app, '--route', route]).ended;
      assert.equal(removed.code, 0, removed.stderr);
    }
    assert.deepEqual(resources(), []);
    assert.equal(readFileSync(app, 'utf8'), text);
  });

  it('without a static folder it writes no /.well-known/x402, and says so', async () => {
    const path = write('unlisted.js', APP);
    const args = ['add', path, '--pay-to', PAY_TO, '--origin', 'https://api.example'];
    const added = await new CliProcess(args, { SVC_X402_DATA_DIR: folder.path }).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /has no folder of static files/);
  });

  it('folders named app above the project are not in the path of a Next.js route', async () => {
    const root = join(folder.path, 'app');
    mkdirSync(join(root, 'app/time/[zone]'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "next": "16.2.6" } }\n');
    const path = join(root, 'app/time/[zone]/route.ts');
    writeFileSync(path, 'export const GET = async () => Response.json({ hour: 7 });\n');
    const environment = { SVC_X402_DATA_DIR: folder.path };
    const added = await new CliProcess(['add', path, '--pay-to', PAY_TO], environment).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Payment added: GET \/time\/\[zone\] in/);
    assert.equal((await new CliProcess(['remove', path]).ended).code, 0);
  });

  it('a note that changes what is paid stops add until it is accepted by its name', async () => {
    const shadowed = `${APP}\napp.get('/:any', (_req, res) => res.json({}));\napp.get('/gold', (_req, res) => res.json({}));\n`;
    const path = write('shadowed.ts', shadowed);
    const environment = { SVC_X402_DATA_DIR: folder.path };
    const args = ['add', path, '--route', 'GET /gold', '--pay-to', PAY_TO];
    const stopped = await new CliProcess(args, environment).ended;
    assert.equal(stopped.code, 1, stopped.stdout);
    assert.match(stopped.stderr, /Line 9 \(GET \/:any\) answers .*\n.*--accept answered_before/s);
    assert.equal(readFileSync(path, 'utf8'), shadowed);
    const accepted = await new CliProcess([...args, '--accept', 'answered_before'], environment)
      .ended;
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.match(readFileSync(path, 'utf8'), /GET \/gold/);
  });

  it('a framework that only names suggest is written only with --framework', async () => {
    const guessed = 'export default (app) => {\n  app.get("/x", (req, res) => res.json({}));\n};\n';
    const path = write('guessed.js', guessed);
    const environment = { SVC_X402_DATA_DIR: folder.path };
    const args = ['add', path, '--pay-to', PAY_TO];
    for (const more of [[], ['--accept', 'guessed_framework']]) {
      const stopped = await new CliProcess([...args, ...more], environment).ended;
      assert.equal(stopped.code, 1, stopped.stdout);
      assert.match(stopped.stderr, /--framework express/);
      assert.equal(readFileSync(path, 'utf8'), guessed);
    }
    // --yes confirms the plan, not the guess.
    const all = await new CliProcess([...args, '--all', '--yes'], environment).ended;
    assert.match(all.stdout, /GET \/x {2}needs --framework express/);
    assert.equal(readFileSync(path, 'utf8'), guessed);
    const added = await new CliProcess([...args, '--framework', 'express'], environment).ended;
    assert.equal(added.code, 0, added.stderr);
  });

  it('list names what it could not read, instead of counting no endpoints', async () => {
    const root = join(folder.path, 'unread');
    mkdirSync(root);
    writeFileSync(join(root, 'large.js'), `${APP}// ${'x'.repeat(2_000_000)}`);
    writeFileSync(join(root, 'bytes.js'), Buffer.from([0x2f, 0x2f, 0xff, 0xfe]));
    writeFileSync(join(root, 'deep.js'), `${APP}const s = ${"'a' + ".repeat(20_000)}'a';\n`);
    symlinkSync(join(root, 'large.js'), join(root, 'link.js'));
    const { code, stdout } = await new CliProcess(['list', root]).ended;
    assert.equal(code, 0);
    for (const row of [
      /large\.js: It is larger than 2 MB/,
      /bytes\.js: It is not UTF-8 text/,
      /deep\.js: Its code is nested too deeply/,
      /link\.js: It is a link/,
    ]) {
      assert.match(stdout, row);
    }
  });

  it('a folder is read without its tests, and says how many; a named file always is', async () => {
    const root = join(folder.path, 'tested');
    mkdirSync(join(root, 'src', '__tests__'), { recursive: true });
    mkdirSync(join(root, 'test'));
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "express": "5.1.0" } }\n');
    const app = APP.replace('/quote', '/sold');
    writeFileSync(join(root, 'src', 'app.js'), app);
    const tests = ['src/app.test.js', 'src/__tests__/app.js', 'test/server.js'];
    for (const name of tests) writeFileSync(join(root, name), APP);
    const paid = (command: string, ...more: string[]) =>
      new CliProcess([command, root, '--pay-to', PAY_TO, ...more], {
        SVC_X402_DATA_DIR: folder.path,
      }).ended;

    const listed = await new CliProcess(['list', root]).ended;
    assert.match(listed.stdout, /GET \/sold {2}free/);
    assert.doesNotMatch(listed.stdout, /quote/);
    assert.match(listed.stdout, /3 test files were left out\. Name a file to read it\./);
    assert.match(listed.stdout, /\n1 endpoint\n/);
    const lines = (await new CliProcess(['list', root, '--json']).ended).stdout.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(events.find(({ event }) => event === 'tests')?.['tests'], 3);

    const planned = await paid('add', '--all');
    assert.match(planned.stdout, /3 test files were left out/);
    assert.match(planned.stdout, /1 payment in 1 file planned/);
    const unknown = await paid('add', '--route', 'GET /quote');
    assert.match(unknown.stderr, /No route GET \/quote was found in .*3 test files were left out/);
    const unpaid = await new CliProcess(['check', root]).ended;
    assert.match(unpaid.stderr, /No paid endpoint was found in .*3 test files were left out/);

    // What the user names is read, a file or the folder of the tests, and so is a payment of ours.
    for (const name of tests) {
      const named = await new CliProcess(['list', join(root, name)]).ended;
      assert.match(named.stdout, /GET \/quote {2}free/);
    }
    const inTests = await new CliProcess(['list', join(root, 'test')]).ended;
    assert.match(inTests.stdout, /GET \/quote {2}free/);
    const sold = await new CliProcess(
      ['add', join(root, 'test/server.js'), '--pay-to', PAY_TO, '--unchecked'],
      { SVC_X402_DATA_DIR: folder.path },
    ).ended;
    assert.equal(sold.code, 0, sold.stderr);
    const again = await new CliProcess(['list', root]).ended;
    assert.match(again.stdout, /GET \/quote {2}paid/);
    assert.match(again.stdout, /2 test files were left out/);
  });

  it('a dry run shows the lines and writes nothing', async () => {
    const path = write('dry.ts', APP);
    const args = ['add', path, '--pay-to', PAY_TO, '--dry-run'];
    const environment = { SVC_X402_DATA_DIR: folder.path };
    const { code, stdout } = await new CliProcess(args, environment).ended;
    assert.equal(code, 0);
    assert.match(stdout, /^@@ line 2\n\+import \{ HTTPFacilitatorClient \}/);
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('several endpoints are listed with their lines, and one can be chosen by its line', async () => {
    const two = `${APP}\napp.get('/other', (_req, res) => {\n  res.json({ other: 1 });\n});\n`;
    const path = write('two.ts', two);
    const asked = await new CliProcess(['add', path, '--pay-to', PAY_TO]).ended;
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /:5 {2}GET \/quote\n {2}:9 {2}GET \/other/);
    const { code } = await new CliProcess(['add', `${path}:10`, '--pay-to', PAY_TO]).ended;
    assert.equal(code, 0);
    assert.match(readFileSync(path, 'utf8'), /'GET \/other'/);
  });

  it('reports a mistake in a sentence, and does not change the file', async () => {
    const path = write('mistakes.ts', APP);
    const bytes = join(folder.path, 'src', 'latin.ts');
    writeFileSync(bytes, Buffer.from([0x2f, 0x2f, 0xe9, 0x0a]));
    const mistakes: readonly (readonly [string[], RegExp])[] = [
      [[path, '--pay-to', PAY_TO, '--price', '0'], /not a price/],
      [[path, '--pay-to', PAY_TO, '--price', '0.00000001'], /at most 7 decimals/],
      [[path, '--pay-to', `${PAY_TO.slice(0, -1)}A`], /not a Stellar address/],
      [[join(folder.path, 'none.ts'), '--pay-to', PAY_TO], /does not exist/],
      [[bytes, '--pay-to', PAY_TO], /not UTF-8 text/],
    ];
    for (const [args, expected] of mistakes) {
      const { code, stderr } = await new CliProcess(['add', ...args]).ended;
      assert.ok(code === 1 || code === 2);
      assert.match(stderr, expected);
    }
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('G2: a line inside a call names that route and no other', async () => {
    const path = write(
      'inside.ts',
      `${APP}\nexport const registered = app.post('/second', (_req, res) => {\n  res.json({});\n});\n`,
    );
    const none = await new CliProcess(['add', `${path}:2`, '--pay-to', PAY_TO]).ended;
    assert.equal(none.code, 2);
    assert.match(none.stderr, /No endpoint in .* is at line 2/);
    const added = await new CliProcess(['add', `${path}:9`, '--pay-to', PAY_TO]).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Payment added: POST \/second/);
    const removed = await new CliProcess(['remove', path, '--route', 'POST /second']).ended;
    assert.equal(removed.code, 0, removed.stderr);
  });

  it('P3: without --install no package manager runs and no registry is asked', async () => {
    const root = join(folder.path, 'quiet');
    const bin = join(root, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    const trace = join(folder.path, 'npm-ran');
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\ntouch ${trace}\n`);
    chmodSync(join(bin, 'npm'), 0o755);
    const variable = '$' + '{MY_SECRET}';
    writeFileSync(join(root, '.npmrc'), `registry=http://127.0.0.1:9/${variable}/\n`);
    writeFileSync(join(root, 'package.json'), '{ "name": "quiet" }');
    const path = join(root, 'app.ts');
    writeFileSync(path, APP);
    const { code, stderr, stdout } = await new CliProcess(['add', path, '--pay-to', PAY_TO], {
      PATH: `${bin}:${process.env['PATH']}`,
      MY_SECRET: 'secret',
    }).ended;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /npm i --save-exact/);
    assert.match(stdout, /svc-x402 pay http:\/\/localhost:3000\/quote/);
    assert.ok(!existsSync(trace));
  });

  it('a pipe, a device and a huge file are refused at once', async () => {
    const pipe = join(folder.path, 'src', 'pipe.ts');
    execFileSync('mkfifo', [pipe]);
    const huge = write('huge.ts', `${APP}//${'x'.repeat(2_000_001)}\n`);
    for (const path of [pipe, huge]) {
      const { code, stderr } = await new CliProcess(['add', path, '--pay-to', PAY_TO]).ended;
      assert.equal(code, 2);
      assert.match(stderr, /not a plain file|larger than 2 MB/);
    }
    const root = join(folder.path, 'piped');
    mkdirSync(root);
    execFileSync('mkfifo', [join(root, 'package.json')]);
    writeFileSync(join(root, 'app.ts'), APP);
    const added = await new CliProcess(['add', join(root, 'app.ts'), '--pay-to', PAY_TO]).ended;
    assert.equal(added.code, 0, added.stderr);
  });

  it('lists a folder as text and as JSON, and survives a closed pipe', async () => {
    const root = join(folder.path, 'listed');
    mkdirSync(join(root, 'node_modules', 'x'), { recursive: true });
    writeFileSync(join(root, 'app.ts'), APP);
    writeFileSync(join(root, 'node_modules', 'x', 'app.js'), APP);
    const people = await new CliProcess(['list', root]).ended;
    assert.match(people.stdout, /app\.ts:5 {2}GET \/quote {2}free\n1 endpoint\n/);
    const programs = await new CliProcess(['list', root, '--json']).ended;
    const [route] = programs.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    assert.deepEqual(route, {
      event: 'route',
      file: join(root, 'app.ts'),
      line: 5,
      framework: 'express',
      method: 'GET',
      path: '/quote',
      state: 'free',
    });
    const many = Array.from({ length: 5_000 }, (_, n) => `app.get('/r${n}', (req, res) => {});`);
    writeFileSync(join(root, 'many.ts'), `${APP}${many.join('\n')}\n`);
    const cli = join(import.meta.dirname, '../../dist/cli.js');
    const errors = execFileSync(
      'sh',
      ['-c', `"${process.execPath}" "${cli}" list "${root}" 2>&1 | head -1`],
      {
        encoding: 'utf8',
      },
    );
    assert.doesNotMatch(errors, /EPIPE|at .*node:/);
  });

  it('lists the endpoints of a framework that is too old as not possible, as `add` refuses them', async () => {
    const root = join(folder.path, 'old');
    mkdirSync(join(root, 'node_modules', 'fastify'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "fastify": "*" } }\n');
    const installed = join(root, 'node_modules', 'fastify', 'package.json');
    writeFileSync(installed, '{ "version": "4.29.1" }\n');
    const app =
      "import Fastify from 'fastify';\nconst app = Fastify();\napp.get('/quote', async () => ({}));\n";
    writeFileSync(join(root, 'app.js'), app);
    const reason = /@x402\/fastify needs Fastify 5 or later, and this project has 4\.29\.1/;
    const add = await new CliProcess(['add', join(root, 'app.js'), '--pay-to', PAY_TO]).ended;
    assert.match(add.stderr, reason);
    const people = await new CliProcess(['list', root]).ended;
    assert.match(people.stdout, /app\.js:3 {2}GET \/quote {2}not possible: @x402\/fastify needs/);
    // A list writes nothing in any case; saying so would read as a failure.
    assert.doesNotMatch(people.stdout, /written/);
    const [line = ''] = (await new CliProcess(['list', root, '--json']).ended).stdout.split('\n');
    const { state, code, reason: why } = JSON.parse(line) as Record<string, string>;
    assert.deepEqual([state, code], ['not possible', 'framework_version']);
    assert.match(why ?? '', reason);
    writeFileSync(installed, '{ "version": "5.6.1" }\n');
    assert.match((await new CliProcess(['list', root]).ended).stdout, /GET \/quote {2}free/);
  });

  it('lists a named file only if it can read it, and says why it cannot', async () => {
    const path = join(folder.path, 'latin1.ts');
    writeFileSync(path, Buffer.from(`// caf\xe9\n${APP}`, 'latin1'));
    const { code, stdout, stderr } = await new CliProcess(['list', path]).ended;
    assert.equal(stdout, '');
    assert.equal(code, 2);
    assert.match(stderr, /latin1\.ts is not UTF-8 text/);
  });

  it('changes a price in place, and keeps the mode of the file', async () => {
    const path = write('priced.ts', APP);
    chmodSync(path, 0o755);
    assert.equal((await new CliProcess(['add', path, '--pay-to', PAY_TO]).ended).code, 0);
    const mine = readFileSync(path, 'utf8').replace(
      "description: 'GET /quote'",
      "description: 'Mine'",
    );
    writeFileSync(path, mine);
    const args = ['price', path, '--route', 'GET /quote', '--price', '0.5'];
    const changed = await new CliProcess(args).ended;
    assert.equal(changed.code, 0, changed.stderr);
    assert.equal(readFileSync(path, 'utf8'), mine.replace("'$0.01'", "'$0.5'"));
    assert.equal(statSync(path).mode & 0o777, 0o755);
  });

  it('a whole folder at once, after a plan', async () => {
    const root = join(folder.path, 'whole');
    mkdirSync(join(root, 'routes'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "express": "5.1.0" } }\n');
    const many = `${APP}app.get('/items/:id', (req, res) => {\n  res.json({ id: req.params.id });\n});\n`;
    const router =
      "import { Router } from 'express';\nconst router = Router();\nrouter.post('/', (req, res) => res.end()); router.head('/', (req, res) => res.end());\nexport default router;\n";
    const files = [join(root, 'app.ts'), join(root, 'routes', 'orders.js')] as const;
    writeFileSync(files[0], many);
    writeFileSync(files[1], router);
    const args = ['add', root, '--all', '--price', '0.2', '--pay-to', PAY_TO];
    const plan = await new CliProcess(args).ended;
    assert.equal(plan.code, 0, plan.stderr);
    assert.match(plan.stdout, /app\.ts:5 {2}GET \/quote {2}0\.2 USDC/);
    assert.match(plan.stdout, /app\.ts:8 {2}GET \/items\/:id {2}0\.2 USDC/);
    assert.match(plan.stdout, /orders\.js:3 {2}POST \/ {2}0\.2 USDC/);
    assert.match(plan.stdout, /orders\.js:3 {2}HEAD \/ {2}not possible: /);
    assert.match(plan.stdout, /3 payments in 2 files planned\. Nothing was written\. Add --yes/);
    assert.deepEqual(
      files.map((path) => readFileSync(path, 'utf8')),
      [many, router],
    );

    const done = await new CliProcess([...args, '--yes']).ended;
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /3 payments in 2 files added/);
    // Once for the package, not once a file.
    assert.equal(done.stdout.split('@x402/express@').length, 2);
    const again = await new CliProcess([...args, '--yes']).ended;
    assert.match(again.stdout, /0 payments in 0 files planned/);
    for (const route of ['GET /quote', 'GET /items/:id', 'POST /']) {
      const removed = await new CliProcess(['remove', root, '--route', route]).ended;
      assert.equal(removed.code, 0, removed.stderr);
    }
    assert.deepEqual(
      files.map((path) => readFileSync(path, 'utf8')),
      [many, router],
    );
    const none = await new CliProcess([...args, '--pay-to', 'new', '--dry-run', '--yes']).ended;
    assert.match(none.stdout, /Nothing was written/);
  });

  it('a plan names the lines of the unchanged file', async () => {
    const root = join(folder.path, 'planned');
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "dependencies": { "express": "5" } }\n');
    const two = "app.get('/a', (q, s) => s.end()); app.get('/b', (q, s) => s.end());\n";
    writeFileSync(join(root, 'app.js'), `const app = require('express')();\n${two}`);
    const { stdout } = await new CliProcess(['add', root, '--all', '--pay-to', PAY_TO], {
      SVC_X402_DATA_DIR: folder.path,
    }).ended;
    assert.match(stdout, /app\.js:2 {2}GET \/a {2}0\.01 USDC/);
    assert.match(stdout, /app\.js:2 {2}GET \/b {2}not possible: .* in line 2\./);
  });

  it('G4: calls of clients, mock servers and test drivers are refused by their names', async () => {
    for (const [name, text, said] of [
      ['msw.ts', "import { rest } from 'msw';\nrest.get('/x', (req, res, ctx) => res());\n", 'MSW'],
      ['api.ts', "import axios from 'axios';\naxios.create().post('/users', form);\n", 'axios'],
      [
        'e2e.ts',
        "import { test } from '@playwright/test';\ntest('x', async ({ api }) => { await api.get('/x'); });\n",
        'Playwright',
      ],
    ] as const) {
      const path = write(name, text);
      for (const place of [path, `${path}:2`]) {
        const refused = await new CliProcess(['add', place, '--pay-to', PAY_TO], {
          SVC_X402_DATA_DIR: folder.path,
        }).ended;
        assert.equal(refused.code, 1);
        assert.ok(
          refused.stderr.includes(`It contains calls to ${said}, which is not a server.`),
          refused.stderr,
        );
      }
      assert.equal(readFileSync(path, 'utf8'), text);
    }
  });

  it('no account is created for a payment that is refused, or only looked at', async () => {
    // Without a network of this machine, creating one would fail.
    const environment = { SVC_X402_DATA_DIR: join(folder.path, 'nothing') };
    const koa = write(
      'koa.ts',
      "import Koa from 'koa';\nconst app = new Koa();\napp.get('/x', h);\n",
    );
    const refused = await new CliProcess(['add', koa, '--pay-to', 'new'], environment).ended;
    assert.match(refused.stderr, /route of Koa/);
    const path = write('looked.ts', APP);
    const looked = await new CliProcess(['add', path, '--pay-to', 'new', '--dry-run'], environment)
      .ended;
    assert.equal(looked.code, 0, looked.stderr);
    assert.match(
      looked.stdout,
      /An account is created when the payment is written; GA+WHF stands for it\./,
    );
    assert.equal(readFileSync(path, 'utf8'), APP);
  });

  it('a check of an endpoint without a payment says that it has none', async () => {
    const path = write('free.ts', APP);
    const { code, stderr } = await new CliProcess(['check', `${path}:5`]).ended;
    assert.equal(code, 1);
    assert.match(stderr, /No paid endpoint was found in .*free\.ts:5\. Add one first\./);
  });

  it('D1: the issuer of USDC is refused, and a folder asks for a route', async () => {
    const path = write('issuer.ts', APP);
    const issuer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
    const { code, stderr } = await new CliProcess(['add', path, '--pay-to', issuer]).ended;
    assert.equal(code, 1);
    assert.match(stderr, /issuer of USDC/);
    assert.equal(readFileSync(path, 'utf8'), APP);
    const inFolder = await new CliProcess(['add', folder.path, '--pay-to', PAY_TO]).ended;
    assert.match(inFolder.stderr, /is a folder/);
  });
});

describe('svc-x402 add beside a running network', () => {
  const folder = temporaryFolder();
  const environment = { SVC_X402_DATA_DIR: folder.path };
  const TWO = `${APP}\napp.get('/time', (_req, res) => res.json({ hour: 7 }));\n`;
  const path = join(folder.path, 'app.js');
  let dev: CliProcess;

  before(async () => {
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }\n');
    const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
    const args = ['dev', '--no-demo', '--in-memory', '--json', '--data-dir', folder.path, ...ports];
    dev = new CliProcess(args);
    await dev.event('serving');
  });
  after(async () => {
    await dev.stop();
    folder.remove();
  });

  it('an address that the network does not know can be paid afterwards', async () => {
    writeFileSync(path, TWO);
    const args = ['add', path, '--route', 'GET /quote', '--pay-to', PAY_TO];
    const added = await new CliProcess(args, environment).ended;
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, new RegExp(`${PAY_TO} can be paid on the network`));
    const removed = await new CliProcess(['remove', path], environment).ended;
    assert.equal(removed.code, 0, removed.stderr);
    const again = await new CliProcess(args, environment).ended;
    assert.equal(again.code, 0, again.stderr);
    assert.doesNotMatch(again.stdout, /can be paid on the network/);
  });

  it('a second new account in one file is asked for, before it is created', async () => {
    writeFileSync(path, TWO);
    const add = (route: string, ...more: string[]) =>
      new CliProcess(['add', path, '--route', route, '--pay-to', 'new', ...more], environment)
        .ended;
    assert.equal((await add('GET /quote')).code, 0);
    const once = readFileSync(path, 'utf8');
    const second = await add('GET /time');
    assert.equal(second.code, 1, second.stdout);
    assert.match(second.stderr, /--accept second_recipient/);
    assert.doesNotMatch(second.stdout, /secret/);
    assert.equal(readFileSync(path, 'utf8'), once);
    assert.equal((await add('GET /time', '--accept', 'second_recipient')).code, 0);
  });
});
