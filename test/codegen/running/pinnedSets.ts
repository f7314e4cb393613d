// Every pinned set of packages, in each version of a framework that it is offered for: an app of each kind of path is sold, installed
// and started, and then requested without paying in every spelling. A set that is missing here fails.
// usage: npm run test:fixtures [-- --name 'pinned set']

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask, openTill, spellingsOf, type Till } from '../../../src/cli/check/index.ts';
import {
  addPayment,
  applyEdits,
  type Framework,
  findRoutes,
  neededPackages,
  OVERRIDES,
  PACKAGE_SETS,
  type PackageSet,
} from '../../../src/codegen/index.ts';
import { Child } from './child.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const here = fileURLToPath(new URL('./', import.meta.url));

/** A framework that calls sell, with the versions that are tested and an app of its kinds of paths. */
interface Kind {
  readonly framework: Framework & ('express' | 'fastify' | 'hono');
  /** Packages besides those of x402, of each version. */
  readonly versions: readonly Readonly<Record<string, string>>[];
  readonly app: (dependencies: Readonly<Record<string, string>>) => string;
  /** A request of each sold route. */
  readonly requests: (dependencies: Readonly<Record<string, string>>) => readonly string[];
}

const REQUESTS = ['/plain', '/weather/lima', '/files/a/q1.pdf', '/open/some', '/deep/a/b/c'];

const KINDS: readonly Kind[] = [
  {
    framework: 'hono',
    versions: [
      { hono: '4.0.10', '@hono/node-server': '1.8.2' },
      { hono: '4.13.19', '@hono/node-server': '1.19.5' },
      { hono: '4.13.19', '@hono/node-server': '2.1.8' },
    ],
    app: () => `import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
const sold = (c) => {
  console.log('HANDLER');
  return c.json({ sold: true });
};

app.get('/plain', sold);
app.get('/weather/:city', sold);
app.get('/files/*', sold);
app.get('/open/:what?', sold);
app.get('/deep/:rest{.+}', sold);

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log('PORT ' + port));
`,
    requests: () => REQUESTS,
  },
  {
    framework: 'express',
    versions: [{ express: '4.21.2' }, { express: '5.1.0' }],
    app: ({ express = '' }) => {
      const named = express.startsWith('5');
      return `import express from 'express';

const app = express();
const sold = (_req, res) => {
  console.log('HANDLER');
  res.json({ sold: true });
};

app.get('/plain', sold);
app.get('/weather/:city', sold);
app.get('/files/${named ? '*path' : '*'}', sold);
app.get('/open${named ? '{/:what}' : '/:what?'}', sold);
app.get(/^\\/deep\\/(.+)$/, sold);

const server = app.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port));
`;
    },
    requests: () => REQUESTS,
  },
  {
    framework: 'fastify',
    versions: [{ fastify: '5.6.1' }],
    app: () => `import Fastify from 'fastify';

const app = Fastify();
const sold = async () => {
  console.log('HANDLER');
  return { sold: true };
};

app.get('/plain', sold);
app.get('/weather/:city', sold);
app.get('/files/*', sold);
app.get('/open/:what?', sold);

await app.listen({ port: 0, host: '127.0.0.1' });
console.log('PORT ' + app.server.address().port);
`,
    requests: () => REQUESTS.slice(0, 4),
  },
];

const cells = PACKAGE_SETS.flatMap((set) =>
  KINDS.filter(({ framework }) => set[framework] !== undefined).flatMap((kind) =>
    kind.versions.map((versions) => ({ set, kind, versions })),
  ),
);

describe('no pinned set lets a request pass without paying', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-pinned-'));
  let till: Till;

  before(async () => {
    till = await openTill();
  });
  after(async () => {
    await till.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('every set is tested with each adapter that it offers, except for Next.js, which a fixture tests', () => {
    for (const set of PACKAGE_SETS) {
      const offered = (['express', 'fastify', 'hono'] as const).filter((name) => set[name]);
      const tested = cells.filter((cell) => cell.set === set).map(({ kind }) => kind.framework);
      assert.deepEqual([...new Set(tested)].sort(), offered.sort());
    }
  });

  for (const [index, { set, kind, versions }] of cells.entries()) {
    const name = Object.entries(versions)
      .map(([each, version]) => `${each} ${version}`)
      .join(', ');
    it(`pinned set ${set.core} with ${name}`, async () => {
      const at = join(folder, String(index));
      install(at, set, kind, versions);
      writeFileSync(join(at, 'app.mjs'), sell(kind.app(versions), till.url));
      let app = startApp(at, till.url);
      try {
        let origin = await originOf(app);
        let asked = 0;
        for (const url of kind.requests(versions)) {
          const table: string[] = [];
          for (const spelling of spellingsOf('GET', url)) {
            let { status } = await ask(origin, spelling).catch(() => NO_ANSWER);
            // A server may close the connection of a request that it cannot read, and @hono/node-server 1.8 ends.
            if (status === 0 && (await app.endsWithin(1_000))) {
              assert.equal(runs(app), 0);
              app = startApp(at, till.url);
              origin = await originOf(app);
              status = ENDED;
            }
            table.push(`${status} ${spelling.method} ${spelling.target}`);
            assert.equal(runs(app), 0, `free:\n${table.slice(-2).join('\n')}`);
          }
          assert.match(table[0] ?? '', /^402 /, `${url}: ${app.said()}`);
          assert.ok(table.filter((row) => row.startsWith(`${ENDED} `)).length <= 1, `${table}`);
          assert.equal((await ask(origin, { method: 'GET', target: url })).status, 402);
          asked += table.length;
        }
        console.log(`# set ${set.core}, ${name}: ${asked} requests, 0 free`);
      } finally {
        await app.stop();
      }
    });
  }
});

const NO_ANSWER = { status: 0 };
/** Stands in a table where the app ended at a request. */
const ENDED = -1;

function startApp(at: string, facilitatorUrl: string): Child {
  return new Child(process.execPath, ['app.mjs'], at, { FACILITATOR_URL: facilitatorUrl });
}

async function originOf(app: Child): Promise<string> {
  const [, port = ''] = await app.line(/^PORT (\d+)/);
  return `http://127.0.0.1:${port}`;
}

function runs(app: Child): number {
  return app.lines.filter((line) => line.includes('HANDLER')).length;
}

/** The app with a payment before each of its routes. */
function sell(app: string, facilitatorUrl: string): string {
  let text = app;
  for (;;) {
    const route = findRoutes({ path: 'app.mjs', text }).find(({ gated }) => gated === undefined);
    if (!route) return text;
    const offset = route.range.start;
    const terms = { price: '0.01', payTo: PAY_TO, facilitatorUrl };
    const change = addPayment({ path: 'app.mjs', text, offset, ...terms });
    assert.ok(change.ok, change.ok ? '' : change.refusal.message);
    text = applyEdits(text, change.edits);
  }
}

function install(
  at: string,
  set: PackageSet,
  { framework }: Kind,
  versions: Readonly<Record<string, string>>,
): void {
  mkdirSync(at);
  // @x402/fastify is not served by every package source; an adapter of the tests replaces it.
  const packages = neededPackages(framework, set).filter(({ name }) => name !== '@x402/fastify');
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  const overrides = { ...OVERRIDES, '@x402/core': set.core };
  const manifest = { private: true, dependencies: { ...dependencies, ...versions }, overrides };
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  execFileSync('npm', args, { cwd: at, stdio: ['ignore', 'ignore', 'pipe'] });
  if (framework === 'fastify') {
    const adapter = join(at, 'node_modules', '@x402', 'fastify');
    cpSync(join(here, 'fastifyAdapter'), adapter, { recursive: true });
  }
}
