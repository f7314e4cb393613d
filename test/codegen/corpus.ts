import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addPayment, applyEdits, type ChangeResult, findRoutes } from '../../src/codegen/index.ts';

const folder = fileURLToPath(new URL('./corpus/', import.meta.url));

/** A route file as found in the wild, and where payments are put into it. */
export interface CorpusCase {
  /** `express/minimal-cjs` */
  readonly name: string;
  readonly extension: string;
  /** The file's path in its project. */
  readonly path: string;
  readonly text: string;
  /** A text in each route, in the order in which payments are added; the first route by itself. */
  readonly at: readonly string[];
  readonly nextVersion: string | undefined;
}

/** Cases that need more than their text. */
const SAID: Readonly<
  Record<string, { path?: string; at?: readonly string[]; nextVersion?: string }>
> = {
  'express/template-path': { at: ['/ping'] },
  'express/constant-path': { at: ['PATHS.search, ('] },
  'express/constant-declared-late': { at: ["'/a'", 'LATE, ('] },
  'express/router-chained-route': { at: ['.get(controller'] },
  'express/chain-of-gets': { at: ["'/two'"] },
  'express/second-route': { at: ["'/first'", "'/second/:id'"] },
  'express/route-above-first': { at: ["'/lower'", "'/upper'"] },
  'express/two-routers': { at: ['orders.get', 'users.get'] },
  'express/own-head': { at: ["app.get('/file'"] },
  'fastify/plugin-default-export': { at: ["'/'", "'/items/:id'"] },
  'fastify/second-route': { at: ["'/a'", "'/b/:id'"] },
  'fastify/two-plugins': { at: ['users: []', 'orders: []'] },
  'fastify/swagger': { at: ["'/rate'"] },
  'hono/rpc-chain': { at: [".post('/books'", ".get('/books/:isbn'"] },
  'next/dynamic': { path: 'app/api/weather/[city]/route.ts' },
  'next/catch-all': { path: 'src/app/(shop)/files/[...path]/route.js' },
  'next/wrapped-handler': { path: 'app/api/render/[id]/route.ts' },
  'next/request-only-constant': { path: 'app/api/logs/[id]/route.ts' },
  'next/delete-dynamic': { path: 'app/api/devices/[deviceId]/route.ts' },
  'next/two-methods': { at: ['function GET', 'function POST'] },
  'next/old-version': { nextVersion: '^15.3.1' },
  'next/export-list-emptied': { at: ['{ GET', '{ POST'] },
  'next/export-list-lines': {
    at: [
      'readReport as GET',
      'replaceReport as PUT, ',
      'removeReport as DELETE }',
      '{ writeReport as POST }',
    ],
  },
  'next/from-list': { at: ['{ GET', '{ POST'] },
  'next/pages-router': { path: 'pages/api/hello.ts' },
};

export const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
  packageName: '@acme/demo-api',
} as const;

export function corpus(): readonly CorpusCase[] {
  return readdirSync(folder)
    .sort()
    .flatMap((framework) =>
      readdirSync(`${folder}${framework}`)
        .filter((file) => file.includes('.input.'))
        .sort()
        .map((file) => readCase(framework, file)),
    );
}

function readCase(framework: string, file: string): CorpusCase {
  const [base = '', extension = ''] = file.split('.input');
  const name = `${framework}/${base}`;
  const said = SAID[name] ?? {};
  const route = `app/api/${base}/route${extension}`;
  return {
    name,
    extension,
    path: said.path ?? (framework === 'next' ? route : `src/${base}${extension}`),
    text: readFileSync(`${folder}${framework}/${file}`, 'utf8'),
    at: said.at ?? [],
    nextVersion: said.nextVersion,
  };
}

/** Puts the payments of a case into its text, one after the other, with all results. */
export function changesOf(
  { path, at, nextVersion, name }: CorpusCase,
  text: string,
): { readonly results: readonly ChangeResult[]; readonly texts: readonly string[] } {
  const results: ChangeResult[] = [];
  const texts = [text];
  for (const place of at.length > 0 ? at : [undefined]) {
    const current = texts.at(-1) ?? text;
    const offset = place === undefined ? firstRoute(path, current) : current.indexOf(place);
    if (offset < 0) throw new Error(`${name} has no ${place}`);
    const result = addPayment({ ...TERMS, path, text: current, offset, nextVersion });
    results.push(result);
    if (!result.ok) break;
    texts.push(applyEdits(current, result.edits));
  }
  return { results, texts };
}

function firstRoute(path: string, text: string): number {
  return findRoutes({ path, text })[0]?.range.start ?? 0;
}

/** Whether it was reviewed that the case is refused. */
export function isRefused({ name }: CorpusCase): boolean {
  return existsSync(`${folder}${name}.refused.txt`);
}

/** The file with the result of a case: its changed text, or why it was refused. */
export function goldenOf(each: CorpusCase): { readonly file: string; readonly text: string } {
  const { results, texts } = changesOf(each, each.text);
  const last = results.at(-1);
  if (last?.ok)
    return { file: `${folder}${each.name}.output${each.extension}`, text: texts.at(-1) ?? '' };
  const refusal = last && !last.ok ? last.refusal : undefined;
  return {
    file: `${folder}${each.name}.refused.txt`,
    text: `${refusal?.code}\n${refusal?.message}\n`,
  };
}
