import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment } from '../change/addPayment.ts';
import { notesToAccept } from '../change/note.ts';
import { sourceInProject, writingFacts } from '../change/projectFacts.ts';

const ROUTE = '/p/src/app/api/price/route.ts';
const HANDLER = 'export async function GET() {\n  return Response.json({ price: 1 });\n}\n';

/** The notes that have to be accepted for selling GET in a project with these files. */
async function toAccept(others: Readonly<Record<string, string>>, lists = true) {
  const texts: Record<string, string> = {
    '/p/package.json': JSON.stringify({ dependencies: { next: '16.2.6' } }),
    [ROUTE]: HANDLER,
    ...others,
  };
  const files = {
    exists: async (path: string) => path in texts,
    read: async (path: string) => texts[path],
    ...(lists && {
      scripts: async () => Object.keys(texts).filter((path) => path.endsWith('.ts')),
    }),
  };
  const { source, project } = await sourceInProject(ROUTE, HANDLER, files);
  const facts = await writingFacts(ROUTE, project, files);
  const result = addPayment({
    ...source,
    ...facts,
    offset: 0,
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
  });
  assert.ok(result.ok);
  return notesToAccept(result.notes);
}

describe('a sold handler of Next.js that other files use', () => {
  it('is named with each file and line before anything is written, however it is imported', async () => {
    const notes = await toAccept({
      '/p/src/app/api/price/route.test.ts': "import { GET } from './route';\n",
      '/p/src/app/api/alias/route.ts': "\nexport { GET } from '@/app/api/price/route';\n",
      '/p/src/jobs/warm.ts': "import * as price from '../app/api/price/route.js';\n",
      '/p/src/jobs/later.ts': "const { GET } = await import('../app/api/price/route');\n",
    });
    assert.deepEqual(
      notes.map(({ id }) => id),
      ['imported_elsewhere'],
    );
    assert.match(notes[0]?.sentence ?? '', /src\/app\/api\/price\/route\.test\.ts:1/);
    assert.match(notes[0]?.sentence ?? '', /src\/app\/api\/alias\/route\.ts:2/);
    assert.match(notes[0]?.sentence ?? '', /src\/jobs\/warm\.ts:1/);
    assert.match(notes[0]?.sentence ?? '', /src\/jobs\/later\.ts:1/);
    assert.match(notes[0]?.sentence ?? '', /import GET from this file/);
  });

  it('is not named where others import its types, another method or another file', async () => {
    const notes = await toAccept({
      '/p/src/a.ts': "import type { GET } from './app/api/price/route';\n",
      '/p/src/b.ts': "import { POST } from './app/api/price/route';\n",
      '/p/src/c.ts': "import { GET } from './app/api/other/route';\n",
      '/p/src/d.ts': "import { GET } from '@/lib/price/route';\n",
      '/p/src/e.ts': "export const route = 'the route is ./app/api/price/route';\n",
    });
    assert.deepEqual(notes, []);
  });

  it('more than five are counted, and a caller that cannot list files gets no note', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [
        `/p/src/u${index}.ts`,
        "import { GET } from './app/api/price/route';\n",
      ]),
    );
    const [note] = await toAccept(many);
    assert.match(note?.sentence ?? '', /u4\.ts:1 and 2 more import GET/);
    assert.deepEqual(await toAccept(many, false), []);
  });
});
