// Every pinned set of packages, in each version of a framework that it is offered for: an app of each kind of path is sold, installed
// and started, and then requested without paying in every spelling. A set that is missing here fails.
// usage: npm run lab -- fixtures [--name 'pinned set' --write-docs], which writes docs/evidence/gates.md

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

const chained = new Hono().get('/health', (c) => c.text('ok')).get('/:id', sold);
app.route('/chained', chained);

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log('PORT ' + port));
`,
    requests: () => [...REQUESTS, '/chained/a'],
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
  const columns: Column[] = [];
  let till: Till;

  before(async () => {
    till = await openTill();
  });
  after(async () => {
    await till.close();
    if (process.env['WRITE_FIGURES'] === '1' && columns.length === cells.length) {
      writeFileSync(PAGE, figuresPage(columns));
    }
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
        const seen = new Map<string, Set<number>>();
        for (const url of kind.requests(versions)) {
          const table: string[] = [];
          for (const spelling of spellingsOf('GET', url, kind.framework)) {
            let { status } = await ask(origin, spelling).catch(() => NO_ANSWER);
            // A server may close the connection of a request that it cannot read, and @hono/node-server 1.8 ends.
            if (status === 0 && (await app.endsWithin(1_000))) {
              assert.equal(runs(app), 0);
              app = startApp(at, till.url);
              origin = await originOf(app);
              status = ENDED;
            }
            table.push(`${status} ${spelling.method} ${spelling.target}`);
            seen.set(spelling.name, (seen.get(spelling.name) ?? new Set()).add(status));
            assert.equal(runs(app), 0, `free:\n${table.slice(-2).join('\n')}`);
          }
          assert.match(table[0] ?? '', /^402 /, `${url}: ${app.said()}`);
          assert.ok(table.filter((row) => row.startsWith(`${ENDED} `)).length <= 1, `${table}`);
          assert.equal((await ask(origin, { method: 'GET', target: url })).status, 402);
          asked += table.length;
        }
        columns.push({ set: set.core, name, asked, seen });
        console.log(`# set ${set.core}, ${name}: ${asked} requests, 0 free`);
      } finally {
        await app.stop();
      }
    });
  }
});

/** The outcome of one cell: each status that a spelling got from any of the app's sold routes. */
interface Column {
  readonly set: string;
  readonly name: string;
  readonly asked: number;
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>;
}

const PAGE = new URL('../../../docs/evidence/gates.md', import.meta.url);

/** `docs/evidence/gates.md`: what each spelling got, for each pinned set and framework. */
function figuresPage(columns: readonly Column[]): string {
  const names = [...new Set(columns.flatMap(({ seen }) => [...seen.keys()]))];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const statuses = (seen: ReadonlySet<number> | undefined) =>
    [...(seen ?? [])].sort((a, b) => a - b).map((status) => WORDS[status] ?? String(status));
  const asked = columns.reduce((sum, column) => sum + column.asked, 0);
  return `# Paid endpoints, requested without paying

\`npm run lab -- fixtures --name 'pinned set' --write-docs\` wrote this page on Node.js ${process.version}. For each pinned set of packages and each tested
version of a framework, it sells an app with plain paths, parameters, wildcards and optional parts, starts it, and requests every sold route in each spelling
of \`svc-x402 check\`. A request that reaches a sold handler fails the run: of ${asked.toLocaleString('en')} requests, none did.

Each cell lists the statuses that the routes of the app answered. 402 asks for the payment. 404 and 405 are the router's: the spelling means no sold route.
400 is an answer to a path that cannot be read, and \`closed\` a connection that ended without an answer. \`ended\` is an app that ended at a request, which
\`@hono/node-server\` 1.8 does. HEAD and OPTIONS get 200 or 204 without the handler. Next.js is tested by its fixture.

${row(['Spelling', ...columns.map(({ set, name }) => `set ${set}: ${name}`)])}
${row(['---', ...columns.map(() => '---')])}
${row(['requests, free', ...columns.map((column) => `${column.asked}, 0`)])}
${names.map((name) => row([`\`${name}\``, ...columns.map(({ seen }) => statuses(seen.get(name)).join(', '))])).join('\n')}
`;
}

const NO_ANSWER = { status: 0 };
/** The status in a table where the app ended at a request. */
const ENDED = -1;
const WORDS: Readonly<Record<number, string>> = { 0: 'closed', [ENDED]: 'ended' };

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
