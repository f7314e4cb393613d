import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { added, removed } from '../../../../test/codegen/payments.ts';

const EXPRESS = "import express from 'express';\n";
const APP = 'const app = express();\n';

/** The key under which a route is charged for, as written in the code. */
function keyOf(text: string, at: string): string | undefined {
  const paid = added(text, at, { packageModules: 'esm' });
  assert.equal(removed(paid, 'svc-x402'), text);
  return /^ +(.+): \{\n +accepts: /m.exec(paid)?.[1];
}

const key = (declared: string, path: string) =>
  keyOf(`${EXPRESS}${declared}${APP}app.post(${path}, h);\n`, 'app.post');

describe('a path that is a constant stays one in the key', () => {
  for (const [declared, path, written] of [
    ['', "'/a'", "'POST /a'"],
    ["const PATH = '/a';\n", 'PATH', `[\`POST \${PATH}\`]`],
    ["const PATHS = { a: '/a' };\n", 'PATHS.a', `[\`POST \${PATHS.a}\`]`],
    ["const BASE = '/v1';\n", `\`\${BASE}/a\``, `[\`POST \${BASE}/a\`]`],
    ["const A = '/a';\nconst B = '/b';\n", `\`\${A}\${B}/c\``, `[\`POST \${A}\${B}/c\`]`],
    ["const BASE = '/v1';\n", "BASE + '/a'", "'POST /v1/a'"],
    ["const PATH = '/a/';\n", 'PATH', "'POST /a'"],
    ["enum Path {\n  A = '/a',\n}\n", 'Path.A', `[\`POST \${Path.A}\`]`],
    ["enum Path {\n  A = '/a',\n}\n", `\`\${Path.A}/b\``, `[\`POST \${Path.A}/b\`]`],
  ] as const) {
    it(`${declared.trim()} ${path}`, () => assert.equal(key(declared, path), written));
  }

  it('so does the path that answers HEAD', () => {
    const text = `${EXPRESS}const PATH = '/a';\n${APP}app.get(PATH, h);\n`;
    assert.match(added(text, 'app.get'), /app\.head\(PATH, /);
    assert.match(added(text.replace('(PATH', "('/a/'"), 'app.get'), /app\.head\('\/a\/', /);
  });

  it('but not one that is declared below', () => {
    for (const declared of ["const PATHS = { a: '/a' };\n", "enum PATHS { a = '/a' }\n"]) {
      const text = `${EXPRESS}${APP}app.post(PATHS.a, h);\n${declared}`;
      assert.equal(keyOf(text, 'app.post'), "'POST /a'");
    }
  });

  it('but not one that the gate does not see', () => {
    const inside = `${EXPRESS}${APP}function f() {\n  const PATH = '/a';\n  app.post(PATH, h);\n}\n`;
    assert.equal(keyOf(inside, 'app.post'), "'POST /a'");
    const template = inside.replace('app.post(PATH', `app.post(\`\${PATH}/b\``);
    assert.equal(keyOf(template, 'app.post'), "'POST /a/b'");
  });
});

describe('the prefix of a Fastify plugin is read where it is known', () => {
  const plugin = (path: string, declared = '') =>
    `import type { FastifyInstance } from 'fastify';\n${declared}\nexport default async function routes(fastify: FastifyInstance) {\n  fastify.post(${path}, h);\n}\n`;
  for (const [text, written] of [
    [plugin("'/a'"), `[\`POST \${fastify.prefix}/a\`]`],
    [plugin("'/'"), `[\`POST \${fastify.prefix || '/'}\`]`],
    [plugin('PATH', "const PATH = '/a';\n"), `[\`POST \${fastify.prefix}\${PATH}\`]`],
    [plugin(`\`\${PATH}/b\``, "const PATH = '/a';\n"), `[\`POST \${fastify.prefix}\${PATH}/b\`]`],
  ] as const) {
    it(written, () => assert.equal(keyOf(text, 'fastify.post'), written));
  }

  it('and not that of an instance that is made here', () => {
    const text = "import Fastify from 'fastify';\nconst app = Fastify();\napp.post('/a', h);\n";
    assert.equal(keyOf(text, 'app.post'), "'POST /a'");
  });
});
