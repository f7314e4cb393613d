/** An endpoint of a fixture: where its code is, and how a buyer asks for it. */
export interface FixtureRoute {
  /** From the fixture's folder. */
  readonly file: string;
  /** A text in the route. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  /** What a paid request gets. */
  readonly answer: unknown;
  /** Where the catalog lists it, after the origin. */
  readonly listed: string;
  /** Its path in the app's own `/openapi.json`, if it is described there. */
  readonly described?: string;
}

export interface Fixture {
  readonly name: string;
  /** The package that is installed into and started, from the fixture's folder. */
  readonly folder: string;
  readonly manager: 'npm' | 'pnpm' | 'deno' | 'bun';
  readonly routes: readonly FixtureRoute[];
  /** Programs of its own node_modules that have to succeed before the start. */
  readonly build: readonly (readonly string[])[];
  readonly start: readonly string[];
  /**
   * @x402/fastify is not served by every package source. Where it is not, the fixture is checked
   * against declarations written from its documentation, and runs with an adapter of this folder.
   */
  readonly adapter?: 'fastify';
}

const TSC = ['typescript/bin/tsc', '-p', '.'];

export const fixtures: readonly Fixture[] = [
  {
    name: 'express4-javascript',
    folder: '.',
    manager: 'npm',
    build: [],
    start: ['src/app.js'],
    routes: [
      {
        file: 'src/app.js',
        at: "'/quote/:symbol'",
        method: 'GET',
        url: '/quote/XLM',
        answer: { symbol: 'XLM', price: 0.12 },
        listed: '/quote/:symbol',
      },
    ],
  },
  {
    name: 'express4-typescript',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/app.ts',
        at: '"/search"',
        method: 'GET',
        url: '/search?q=moon',
        answer: { q: 'moon', hits: ['one', 'two'] },
        listed: '/search',
      },
    ],
  },
  {
    name: 'express5-javascript',
    folder: '.',
    manager: 'npm',
    build: [],
    start: ['src/app.mjs'],
    routes: [
      {
        file: 'src/app.mjs',
        at: "'/translate'",
        method: 'POST',
        url: '/translate',
        body: { text: 'hello', target: 'de' },
        answer: { text: 'de: hello', target: 'de' },
        listed: '/translate',
      },
    ],
  },
  {
    name: 'express5-typescript',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/app.ts',
        at: "'/weather/:city'",
        method: 'GET',
        url: '/weather/Lima?units=imperial',
        answer: { city: 'Lima', units: 'imperial', tempC: 19 },
        listed: '/weather/:city',
      },
      {
        file: 'src/app.ts',
        at: "'/cache/:key'",
        method: 'DELETE',
        url: '/cache/k1',
        answer: { removed: 'k1' },
        listed: '/cache/:key',
      },
    ],
  },
  {
    name: 'express-routers',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/routes/items.ts',
        at: '.get(',
        method: 'GET',
        url: '/api/items/7',
        answer: { id: '7', stock: 3 },
        // The middleware of a router knows only the path behind the mount; that is not a route of the
        // URL, so the catalog lists the URL itself.
        listed: '/api/items/7',
      },
      {
        file: 'src/routes/reports.ts',
        at: "'/reports'",
        method: 'GET',
        url: '/api/reports',
        answer: [{ year: 2026 }],
        listed: '/api/reports',
      },
    ],
  },
  {
    name: 'fastify5-typescript',
    folder: '.',
    manager: 'npm',
    adapter: 'fastify',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/weather.ts',
        at: 'fastify.get',
        method: 'GET',
        url: '/api/weather/Lima?days=2',
        answer: { city: 'Lima', days: 2, tempC: 19 },
        listed: '/api/weather/:city',
        described: '/api/weather/{city}',
      },
    ],
  },
  {
    name: 'hono4-typescript',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/app.ts',
        at: "'/fortune'",
        method: 'GET',
        url: '/fortune',
        answer: { fortune: 'You will be paid.' },
        listed: '/fortune',
        described: '/fortune',
      },
      {
        file: 'src/app.ts',
        at: "app.get('/items/:id'",
        method: 'GET',
        url: '/items/7',
        answer: { id: '7', stock: 3 },
        listed: '/items/:id',
      },
      {
        file: 'src/app.ts',
        at: "prices.get('/'",
        method: 'GET',
        url: '/shop/prices',
        answer: { prices: [7] },
        listed: '/shop/prices',
      },
      {
        file: 'src/routes/books.ts',
        at: "books.get('/:isbn'",
        method: 'GET',
        url: '/books/12',
        answer: { isbn: '12', pages: 300 },
        listed: '/books/:isbn',
      },
    ],
  },
  {
    // Routes in chains of calls, whose types a client of the app uses.
    name: 'hono4-rpc',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['dist/app.js'],
    routes: [
      {
        file: 'src/app.ts',
        at: ".get('/notes/:id'",
        method: 'GET',
        url: '/notes/7',
        answer: { id: '7', text: 'hello' },
        listed: '/notes/:id',
      },
      {
        file: 'src/app.ts',
        at: ".post('/notes'",
        method: 'POST',
        url: '/notes',
        body: { text: 'pear' },
        answer: { added: 'pear' },
        listed: '/notes',
      },
      {
        file: 'src/books.ts',
        at: ".get('/:isbn'",
        method: 'GET',
        url: '/books/12',
        answer: { isbn: '12', pages: 300 },
        listed: '/books/:isbn',
      },
    ],
  },
  {
    // Its class comes from another file, through an import map.
    name: 'hono4-deno',
    folder: '.',
    manager: 'deno',
    build: [['check', 'main.ts']],
    start: ['run', '--allow-all', 'main.ts'],
    routes: [
      {
        file: 'main.ts',
        at: "'/weather/:city'",
        method: 'GET',
        url: '/weather/Lima',
        answer: { city: 'Lima', tempC: 19 },
        listed: '/weather/:city',
      },
    ],
  },
  {
    // Bun serves the default export of the file that it runs.
    name: 'hono4-bun',
    folder: '.',
    manager: 'bun',
    build: [TSC],
    start: ['index.ts'],
    routes: [
      {
        file: 'index.ts',
        at: "'/weather/:city'",
        method: 'GET',
        url: '/weather/Lima',
        answer: { city: 'Lima', tempC: 19 },
        listed: '/weather/:city',
      },
    ],
  },
  {
    name: 'hono4-bun-serve',
    folder: '.',
    manager: 'bun',
    build: [TSC],
    start: ['index.ts'],
    routes: [
      {
        file: 'index.ts',
        at: "'/quote/:symbol'",
        method: 'GET',
        url: '/quote/XLM',
        answer: { symbol: 'XLM', price: 42 },
        listed: '/quote/:symbol',
      },
    ],
  },
  {
    // Cloudflare's own runtime, in which only requests have an environment and connections.
    name: 'hono4-workers',
    folder: '.',
    manager: 'npm',
    build: [TSC],
    start: ['start.mjs'],
    routes: [
      {
        file: 'src/index.ts',
        at: "'/weather/:city'",
        method: 'GET',
        url: '/weather/Lima',
        answer: { city: 'Lima', tempC: 19 },
        listed: '/weather/:city',
      },
      {
        file: 'src/index.ts',
        at: "'/quote'",
        method: 'GET',
        url: '/quote',
        answer: { price: 42 },
        listed: '/quote',
      },
    ],
  },
  {
    name: 'next-app',
    folder: '.',
    manager: 'npm',
    build: [
      ['next/dist/bin/next', 'build'],
      ['typescript/bin/tsc', '--noEmit', '-p', '.'],
    ],
    start: ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'],
    routes: [
      {
        file: 'app/api/price/route.ts',
        at: 'function GET',
        method: 'GET',
        url: '/api/price',
        answer: { price: 42 },
        listed: '/api/price',
      },
      {
        file: 'app/api/price/route.ts',
        at: 'function POST',
        method: 'POST',
        url: '/api/price',
        body: { name: 'pear' },
        answer: { name: 'pear', accepted: true },
        listed: '/api/price',
      },
      {
        file: 'app/api/weather/[city]/route.ts',
        at: 'function GET',
        method: 'GET',
        url: '/api/weather/Lima',
        answer: { city: 'Lima', units: 'metric', tempC: 19 },
        listed: '/api/weather/Lima',
      },
      {
        file: 'app/files/[...path]/route.ts',
        at: 'const GET',
        method: 'GET',
        url: '/files/a/b',
        answer: { path: ['a', 'b'] },
        listed: '/files/a/b',
      },
    ],
  },
  ...(['npm', 'pnpm'] as const).map(
    (manager): Fixture => ({
      name: manager === 'npm' ? 'npm-workspaces' : 'pnpm-workspace',
      folder: manager === 'npm' ? 'packages/api' : 'apps/api',
      manager,
      build: [],
      start: ['app.js'],
      routes: [
        {
          file: manager === 'npm' ? 'packages/api/app.js' : 'apps/api/app.js',
          at: "'/answer'",
          method: 'GET',
          url: '/answer',
          answer: { answer: 42 },
          listed: '/answer',
        },
      ],
    }),
  ),
];
