import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../findRoutes.ts';
import type { Project, ProjectFiles } from '../packages/project.ts';
import { findWellKnown, type ListedRoute, listResource, unlistResource } from './wellKnown.ts';

const project = (dependencies: Record<string, string> = {}): Project => ({
  folder: '/app',
  manifest: { dependencies },
  agent: 'npm',
  root: '/app',
  workspace: 'none',
});

const files = (texts: Readonly<Record<string, string>>): ProjectFiles => ({
  exists: async (path) => Object.keys(texts).some((one) => one.startsWith(`${path}/`)),
  read: async (path) => texts[path],
});

function only(code: string, name: string, path = 'src/app.js'): ListedRoute {
  const routes = findRoutes({ path, text: code });
  const route = routes.find((one) => `${one.method} ${one.path}` === name);
  assert.ok(route, `${name} of ${routes.map((one) => `${one.method} ${one.path}`)}`);
  return { route, code };
}

const EXPRESS = `import express from 'express';
const app = express();
const router = express.Router();
app.get('/quote', (_req, res) => res.json({}));
app.post('/quote', (_req, res) => res.json({}));
app.get('/weather/:city', (_req, res) => res.json({}));
router.get('/inner', (_req, res) => res.json({}));
`;
const LISTED = '{\n  "version": 1,\n  "resources": [\n    "https://api.example/quote"\n  ]\n}\n';

describe('/.well-known/x402 of an app', () => {
  it('is found where the app serves static files, or belongs there', async () => {
    const at = async (texts: Record<string, string>, needs: Record<string, string> = {}) =>
      findWellKnown(project(needs), files(texts));
    const own = { '/app/static/.well-known/x402.json': '{}', '/app/public/logo.svg': '' };
    assert.deepEqual(await at(own), { path: '/app/static/.well-known/x402.json', text: '{}' });
    const [other] = [{ path: '/app/public/.well-known/x402', text: undefined }];
    assert.deepEqual(await at({ '/app/public/logo.svg': '' }), other);
    assert.deepEqual(await at({}, { next: '16.0.0' }), other);
    assert.equal(await at({}, { express: '5.0.0' }), undefined);
  });

  it('lists a route under the given origin, else under that of the other entries', () => {
    const quote = only(EXPRESS, 'GET /quote');
    const empty = { path: '', text: undefined };
    const made = listResource(empty, quote, 'https://api.example');
    assert.equal(made.text, LISTED);
    // Without the option Express 5 answers 404.
    assert.match(made.note ?? '', /dotfiles: 'allow'/);
    const hono = only(
      `import { Hono } from 'hono';\nconst app = new Hono<{ Bindings: Env }>();\napp.get('/a', (c) => c.json({}));\n`,
      'GET /a',
      'src/index.ts',
    );
    const next = listResource({ path: '', text: LISTED }, hono, undefined).text ?? '';
    assert.deepEqual(JSON.parse(next), {
      version: 1,
      resources: ['https://api.example/a', 'https://api.example/quote'],
    });
    const again = listResource({ path: '', text: LISTED }, only(EXPRESS, 'POST /quote'), undefined);
    assert.deepEqual(again, { text: undefined, note: undefined });
  });

  it('lists a route of Next.js by its file', () => {
    const code = 'export const GET = async () => Response.json({});\n';
    const [route] = findRoutes({
      path: 'app/api/time/route.ts',
      text: code,
      dependencies: ['next'],
    });
    assert.ok(route);
    const { text } = listResource({ path: '', text: LISTED }, { route, code }, undefined);
    assert.match(text ?? '', /"https:\/\/api\.example\/api\/time"/);
  });

  it('keeps other members and the indentation', () => {
    const text = '{\n\t"version": 1,\n\t"resources": [],\n\t"ownershipProofs": ["0x1"]\n}\n';
    const changed = listResource(
      { path: '', text },
      only(EXPRESS, 'GET /quote'),
      'http://x.test:1',
    );
    assert.match(changed.text ?? '', /^\t"ownershipProofs"/m);
    assert.match(changed.text ?? '', /"http:\/\/x\.test:1\/quote"/);
  });

  it('lists nothing that a reader cannot fetch, and says why', () => {
    const listed = { path: '', text: LISTED };
    const [many, inner] = [only(EXPRESS, 'GET /weather/:city'), only(EXPRESS, 'GET /inner')];
    assert.match(listResource(listed, many, undefined).note ?? '', /stands for many URLs/);
    assert.match(listResource(listed, inner, undefined).note ?? '', /router is mounted/);
    for (const each of [many, inner]) {
      assert.equal(listResource(listed, each, undefined).text, undefined);
    }
  });

  it('does not change a file of another form, or of several origins', () => {
    const quote = only(EXPRESS, 'POST /quote');
    for (const text of [
      'no JSON',
      '[]',
      '{"version": 2, "resources": []}',
      '{"version": 1, "resources": [{"url": "https://api.example/a"}]}',
      '{"version": 1, "resources": ["/a"]}',
      '{"version": 1, "resources": ["javascript:alert(1)"]}',
      '{"version": 1}',
    ]) {
      const { text: changed, note } = listResource({ path: '', text }, quote, 'https://b.example');
      assert.equal(changed, undefined, text);
      assert.match(note ?? '', /was not changed/);
    }
    const several = '{"version": 1, "resources": ["https://a.example/a", "https://b.example/b"]}';
    for (const text of [several, '{"version": 1, "resources": []}']) {
      const { text: changed, note } = listResource({ path: '', text }, quote, undefined);
      assert.equal(changed, undefined, text);
      assert.match(note ?? '', /--origin/);
    }
  });

  it('removes a route, unless another method is still sold there', () => {
    const quote = only(EXPRESS, 'GET /quote');
    const post = only(EXPRESS, 'POST /quote').route;
    const listed = { path: '', text: LISTED };
    assert.equal(unlistResource(listed, quote, [post]).text, undefined);
    const { text } = unlistResource(listed, quote, []);
    assert.deepEqual(JSON.parse(text ?? ''), { version: 1, resources: [] });
    assert.equal(unlistResource({ path: '', text: undefined }, quote, []).text, undefined);
    assert.equal(unlistResource({ path: '', text: 'no JSON' }, quote, []).text, undefined);
  });
});
