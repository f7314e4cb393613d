import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const packages = fileURLToPath(new URL('../../examples/paid-api/node_modules', import.meta.url));

const APP = `import express from 'express';

const app = express();

app.get('/health', (_req, res) => {
  res.json({ ok: true });
});

const items = express.Router();

items.get('/', (_req, res) => {
  res.json([{ id: '1' }]);
});

items.get('/featured', (_req, res) => {
  res.json({ featured: true });
});

items.get('/:id', (req, res) => {
  res.json({ id: req.params.id, stock: 3 });
});

app.get('/files/*rest', (req, res) => {
  res.json({ file: req.params.rest });
});

app.get('/quotes/:symbol', (req, res) => {
  res.json({ symbol: req.params.symbol, price: 7 });
});

app.get('/report', (_req, res) => {
  res.json({ year: 2026 });
});

app.post('/orders', (_req, res) => {
  process.stdout.write('ORDERED\\n');
  res.json({ ordered: true });
});

app.use('/shop/items', items);
app.listen(Number(process.env.PORT), '127.0.0.1');
`;

describe('svc-x402 check', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const environment = { SVC_X402_DATA_DIR: folder.path, HOME: folder.path };
  let count = 0;

  function project(text: string, scripts: object = { start: 'node app.js' }): string {
    count += 1;
    const path = join(folder.path, `project-${count}`);
    mkdirSync(path);
    symlinkSync(packages, join(path, 'node_modules'));
    const manifest = { name: 'shop', type: 'module', scripts, dependencies: { express: '5.1.0' } };
    writeFileSync(join(path, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(path, 'app.js'), text);
    return path;
  }

  const run = (...args: string[]) => new CliProcess(args, environment).ended;
  const add = (file: string, route: string, ...more: string[]) =>
    run('add', file, '--route', route, '--pay-to', PAY_TO, ...more);
  const events = (stdout: string) =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('requests each paid route in every spelling, below its mount point, and passes', async () => {
    const path = project(APP);
    for (const route of ['GET /:id', 'GET /files/*', 'GET /report']) {
      const { code, stderr } = await add(join(path, 'app.js'), route);
      assert.equal(code, 0, stderr);
    }
    const { code, stdout, stderr } = await run('check', path, '--json');
    assert.equal(code, 0, stdout + stderr);
    const checked = events(stdout).filter(({ event }) => event === 'checked');
    assert.deepEqual(checked.map(({ url, passed }) => [url, passed]).sort(), [
      ['/files/1', true],
      ['/report', true],
      ['/shop/items/1', true],
    ]);
    const said = JSON.stringify(checked);
    // A spelling that reaches the list, which is free.
    assert.match(said, /"target":"\/shop\/items\/","status":200,"verdict":"other route"/);
    // The free neighbours stay free; one that could change something is not asked.
    assert.match(said, /"url":"\/shop\/items\/featured","status":200,"charged":false/);
    // A free route of the app is not where the paid router is.
    assert.match(said, /"url":"\/health","status":200,"charged":false/);
    assert.doesNotMatch(said, /"method":"POST","(?:target|url)":"\/orders"/);
    // Requests that say they mean another method go to the paid paths.
    assert.match(said, /"method":"POST","target":"\/report\?_method=GET","status":404/);
    const summary = events(stdout).find(({ event }) => event === 'summary');
    assert.deepEqual([summary?.['free'], summary?.['charged']], [0, 0]);
  });

  it('`add --check` checks what it added, and prints the table', async () => {
    const path = project(APP);
    const { code, stdout, stderr } = await add(join(path, 'app.js'), 'GET /:id', '--check');
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Starting the app: npm run start/);
    assert.match(stdout, /GET \/:id at \/shop\/items\/1: passed/);
    assert.match(stdout, / {2}402 {2}GET \/shop\/items\/1 +asks for a payment/);
    assert.match(stdout, / {2}404 {2}GET \/shop\/items\/1%2F +|402 {2}GET \/shop\/items\/1%2F/);
    assert.match(stdout, /1 endpoint, 79 requests: 0 free, 0 charged by mistake/);
  });

  it('fails on a gate that another spelling gets past', async () => {
    const path = project(APP);
    const file = join(path, 'app.js');
    assert.equal((await add(file, 'GET /quotes/:symbol')).code, 0);
    // As 0.3.0 wrote it, with the one key: the middleware takes a backslash for a slash.
    const right = readFileSync(file, 'utf8');
    const wrong = right.replace(/ *\/\/ For paths[^\n]*\n[^\n]*\n/, '');
    assert.notEqual(wrong, right);
    writeFileSync(file, wrong);
    const { code, stdout, stderr } = await run('check', `${file}`, '--json');
    assert.equal(code, 1, stdout);
    assert.match(stderr, /1 endpoint did not pass the check/);
    assert.match(stdout, /"target":"\/quotes\/a\\\\b","status":200,"verdict":"free"/);
  });

  it('fails on a gate that a method override gets past, and passes one that it does not', async () => {
    const override = `app.use((req, _res, next) => {
  req.method = req.headers['x-http-method-override'] ?? req.query._method ?? req.method;
  next();
});
`;
    for (const [place, verdict] of [
      ["app.get('/report'", 'free'],
      ['const items', 'paid'],
    ] as const) {
      const path = project(APP);
      const file = join(path, 'app.js');
      assert.equal((await add(file, 'GET /report')).code, 0);
      const text = readFileSync(file, 'utf8');
      // Behind the gate, the router takes the request for another one than the gate did.
      writeFileSync(
        file,
        text.replace(place, () => override + place),
      );
      const { code, stdout } = await run('check', file, '--json');
      assert.equal(code, verdict === 'free' ? 1 : 0, stdout);
      assert.match(
        stdout,
        new RegExp(
          `"method":"POST","target":"/report\\?_method=GET","status":\\d+,"verdict":"${verdict}"`,
        ),
      );
    }
  });

  it('passes a paid POST beside a free GET of the same path, which also answers HEAD', async () => {
    const route = "app.get('/orders', (_req, res) => {\n  res.json({ orders: 2 });\n});\n";
    const path = project(APP.replace("app.post('/orders'", () => `${route}app.post('/orders'`));
    const file = join(path, 'app.js');
    assert.equal((await add(file, 'POST /orders')).code, 0);
    const { code, stdout } = await run('check', file, '--json');
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /"method":"HEAD","target":"\/orders","status":200,"verdict":"other route"/,
    );
    assert.match(stdout, /"method":"GET","target":"\/orders","status":200,"verdict":"other route"/);
  });

  it('fails on a missing gate, and on a free route that asks for payment', async () => {
    const path = project(APP);
    const file = join(path, 'app.js');
    assert.equal((await add(file, 'GET /report')).code, 0);
    const text = readFileSync(file, 'utf8');
    // What runs is what was built before the payment was added.
    writeFileSync(join(path, 'old.js'), APP);
    const unpaid = await run('check', file, '--start', 'node old.js');
    assert.equal(unpaid.code, 1, unpaid.stdout);
    assert.match(unpaid.stdout, /No request was asked for a payment:\n {2}200 GET \/report/);
    // A gate that charges for everything.
    writeFileSync(file, text.replace("'GET /report'", "'GET /*'"));
    const charged = await run('check', `${file}`);
    assert.equal(charged.code, 1, charged.stdout);
    assert.match(charged.stdout, /402 {2}GET \/ +CHARGED/);
  });

  it('says why an app could not be started, with its output', async () => {
    const path = project(`${APP}throw new Error('no database');\n`);
    assert.equal((await add(join(path, 'app.js'), 'GET /report')).code, 0);
    const broken = await run('check', path);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /Could not start the app with `npm run start`: it exited/);
    assert.match(broken.stderr, /no database/);
    const none = project(APP, {});
    assert.equal((await add(join(none, 'app.js'), 'GET /report')).code, 0);
    assert.equal((await run('check', join(none, 'app.js'), '--start', 'node app.js')).code, 0);
    assert.match((await run('check', path, '--header', 'x')).stderr, /is not a header/);
    assert.match((await run('check', project(APP))).stderr, /No paid endpoint was found/);
  });

  it('Ctrl-C also ends the app that it started', async () => {
    // It never listens, so that the check waits for it.
    const path = project(
      `import { writeFileSync } from 'node:fs';\nimport express from 'express';\nconst app = express();\napp.get('/report', (_req, res) => {\n  res.json({});\n});\nwriteFileSync('pid', String(process.pid));\nsetInterval(() => app, 1_000);\n`,
    );
    assert.equal((await add(join(path, 'app.js'), 'GET /report')).code, 0);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      rmSync(join(path, 'pid'), { force: true });
      const check = new CliProcess(['check', path], environment);
      const pid = await eventually(() => Number(readFileSync(join(path, 'pid'), 'utf8')) || 0);
      const { code } = await check.stop(signal);
      assert.ok(code === 130 || code === 143, `${code}`);
      await eventually(() => !isAlive(pid));
    }
  });

  it('checks a URL of a running app', async () => {
    const server = createServer((request, response) => {
      if (request.url?.includes('\\')) {
        // As Next.js corrects a backslash: first to a slash, then without it.
        response.writeHead(308, { location: request.url.replace('\\', '/') }).end();
        return;
      }
      if (request.url === '/a//' || request.url === '/a/a/b') {
        response.writeHead(308, { location: '/a/b' }).end();
        return;
      }
      const isExact = request.url === '/a/b';
      response.writeHead(isExact ? 402 : 200, { 'content-type': 'text/plain' });
      response.end(isExact ? 'pay' : `secret of ${request.url === '/a/b/' ? 'b' : Math.random()}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code, stdout } = await run('check', `http://127.0.0.1:${port}/a/b`);
    server.close();
    assert.equal(code, 1);
    assert.match(stdout, /200 {2}GET \/a\/b\/ +FREE/);
    assert.match(stdout, /402 {2}GET \/a\/\\ +asks for a payment/);
  });

  it('passes a URL only if a payment was asked for', async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/only-post')) response.writeHead(405, { allow: 'POST' }).end();
      else if (request.url?.startsWith('/broken')) response.writeHead(500).end('{"error":1}');
      else response.writeHead(404).end('not found');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    for (const [path, status] of [
      ['/typo', 404],
      ['/only-post', 405],
      ['/broken', 500],
    ] as const) {
      const { code, stdout, stderr } = await run('check', `http://127.0.0.1:${port}${path}`);
      assert.equal(code, 1, stdout);
      assert.match(stderr, new RegExp(`No payment was asked for: GET .* status ${status}`));
      if (status !== 500) assert.doesNotMatch(stdout, /FREE/);
    }
    server.close();
  });

  it('fails on a payment whose route was renamed, which `list` shows and `remove` removes', async () => {
    const path = project(APP);
    const file = join(path, 'app.js');
    assert.equal((await add(file, 'GET /report')).code, 0);
    const paid = readFileSync(file, 'utf8');
    const renamed = paid.replace("app.get('/report'", "app.get('/renamed'");
    assert.notEqual(renamed, paid);
    writeFileSync(file, renamed);
    const checked = await run('check', path);
    assert.equal(checked.code, 1, checked.stdout);
    assert.match(checked.stderr, /payment without a route.*\n {2}.*app\.js:\d+ {2}GET \/report/s);
    assert.match((await run('list', path)).stdout, /GET \/report {2}payment without a route/);
    assert.equal((await run('remove', file)).code, 0);
    assert.equal(
      readFileSync(file, 'utf8'),
      APP.replace("app.get('/report'", "app.get('/renamed'"),
    );
  });

  it('says in one line that nothing answers', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await run('check', `http://127.0.0.1:${port}/a/b`);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^GET \/a\/b got no response from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*\n$/,
    );
  });
});

/** Waits for something true; a file that is not there yet counts as not. */
async function eventually<T>(look: () => T): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      const found = look();
      if (found) return found;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    if (Date.now() > until) throw new Error('it did not happen within a minute');
    await wait(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
