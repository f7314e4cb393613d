import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { added, removed } from '../../../test/codegen/payments.ts';

const APP = `const app = express();

app.post('/a', h);
`;
const EXPRESS = "import express from 'express';\n";
const ROUTE = "app.post('/a'";

/** The text above the app once its payment is gone, the imports having been edited before. */
function importsLeft(
  edit: (text: string) => string,
  { imports = EXPRESS, app = APP, more = '' } = {},
): string {
  const text = edit(added(`${imports}\n${app}`, ROUTE));
  const left = removed(text + more, ROUTE);
  assert.ok(left.endsWith(app + more), left);
  return left.slice(0, left.length - app.length - more.length);
}

const MIDDLEWARE = "import { paymentMiddleware, x402ResourceServer } from '@x402/express';\n";

describe('a payment’s names are removed from imports, and others stay', () => {
  const used = 'show(other);\n';
  for (const [name, line, left] of [
    [
      'an own name behind ours',
      "import { paymentMiddleware, x402ResourceServer, other } from '@x402/express';\n",
      "import { other } from '@x402/express';\n",
    ],
    [
      'between ours',
      "import { paymentMiddleware, other, x402ResourceServer } from '@x402/express';\n",
      "import { other } from '@x402/express';\n",
    ],
    [
      'before ours',
      "import { other, paymentMiddleware, x402ResourceServer } from '@x402/express';\n",
      "import { other } from '@x402/express';\n",
    ],
    [
      'two around ours',
      "import { a as other, paymentMiddleware, x402ResourceServer, b } from '@x402/express';\n",
      "import { a as other, b } from '@x402/express';\n",
    ],
    [
      'a type',
      "import { paymentMiddleware, type RouteConfig, x402ResourceServer } from '@x402/express';\n",
      "import { type RouteConfig } from '@x402/express';\n",
    ],
    [
      'a type of our name',
      "import { paymentMiddleware, x402ResourceServer, type x402ResourceServer as Server } from '@x402/express';\n",
      "import { type x402ResourceServer as Server } from '@x402/express';\n",
    ],
    [
      'on lines of their own',
      "import {\n  paymentMiddleware,\n  x402ResourceServer,\n  other,\n} from '@x402/express';\n",
      "import {\n  other,\n} from '@x402/express';\n",
    ],
    [
      'the default export',
      "import other, { paymentMiddleware, x402ResourceServer } from '@x402/express';\n",
      "import other from '@x402/express';\n",
    ],
    [
      'the default export and a name',
      "import x402, { other, paymentMiddleware, x402ResourceServer } from '@x402/express';\n",
      "import x402, { other } from '@x402/express';\n",
    ],
    [
      'another statement in front, on the same line',
      "const z = 1; import { paymentMiddleware, x402ResourceServer } from '@x402/express';const other = z;\n",
      'const z = 1; const other = z;\n',
    ],
    [
      'another statement behind, on the same line',
      "import { paymentMiddleware, x402ResourceServer } from '@x402/express'; const other = 1;\n",
      'const other = 1;\n',
    ],
    [
      'imports for what they do, of types and of all',
      `${MIDDLEWARE}import '@x402/express';\nimport type { paymentMiddleware as T } from '@x402/express';\nimport * as other from '@x402/express';\n`,
      "import '@x402/express';\nimport type { paymentMiddleware as T } from '@x402/express';\nimport * as other from '@x402/express';\n",
    ],
  ] as const) {
    it(name, () => {
      const edit = (text: string) => text.replace(MIDDLEWARE, line);
      assert.equal(importsLeft(edit, { more: used }), `${EXPRESS}${left}\n`);
    });
  }

  it('ours under another name', () => {
    const edit = (text: string) =>
      text
        .replace('{ paymentMiddleware,', '{ paymentMiddleware as gate,')
        .replace('paymentMiddleware(', 'gate(');
    assert.equal(importsLeft(edit), `${EXPRESS}\n`);
  });

  it('the same name of another package stays', () => {
    const imports = `${EXPRESS}import { NextResponse } from 'mine';\n`;
    assert.equal(
      importsLeft((text) => text, { imports }),
      `${imports}\n`,
    );
  });

  it('names used elsewhere stay, wherever in the file that is', () => {
    const name = 'bazaarResourceServerExtension';
    for (const more of [
      `export { ${name} };\n`,
      `function f() {\n  return ${name};\n}\n`,
      `const { a = ${name} } = b;\n`,
      `const load = require('./load')(${name});\n`,
      `const { a = ${name} } = require('./load');\n`,
      `require('./load')(app, ${name});\n`,
    ]) {
      assert.equal(
        importsLeft((text) => text, { more }),
        `${EXPRESS}import {\n  ${name},\n} from '@x402/extensions/bazaar';\n\n`,
        more,
      );
    }
  });

  it('a name in a text does not use what is imported', () => {
    const more = "log('HTTPFacilitatorClient', `x402ResourceServer`);\n";
    assert.equal(
      importsLeft((text) => text, { more }),
      `${EXPRESS}\n`,
    );
  });

  it('an import without names is left to its author', () => {
    const imports = `${EXPRESS}import {} from '@x402/express';\n`;
    const left = importsLeft((text) => text, { imports });
    assert.equal(left, `${imports}\n`);
  });

  it('a comment after an import is removed with its line', () => {
    const edit = (text: string) => text.replace(MIDDLEWARE, `${MIDDLEWARE.trim()} // gate\n`);
    assert.equal(importsLeft(edit), `${EXPRESS}\n`);
  });
});

describe('a payment’s names are removed from required modules', () => {
  const imports = "const express = require('express');\n";
  const line = "const { paymentMiddleware, x402ResourceServer } = require('@x402/express');\n";
  for (const [name, edited, left] of [
    [
      'a name of the same package stays',
      line.replace('Server }', 'Server, other }'),
      "const { other } = require('@x402/express');\n",
    ],
    [
      'the first one too',
      line.replace('{ ', '{ a: other, '),
      "const { a: other } = require('@x402/express');\n",
    ],
    [
      'the whole package',
      `${line}const other = require('@x402/express');\n`,
      "const other = require('@x402/express');\n",
    ],
    [
      'another package, by the same name',
      `${line}const { HTTPFacilitatorClient: other } = require('mine');\n`,
      "const { HTTPFacilitatorClient: other } = require('mine');\n",
    ],
  ] as const) {
    it(name, () => {
      const edit = (text: string) => text.replace(line, edited);
      assert.equal(importsLeft(edit, { imports, more: 'show(other);\n' }), `${imports}${left}\n`);
    });
  }

  it('several in one statement are left to their author', () => {
    const several = line.replace(';\n', ", other = require('other');\n");
    const edit = (text: string) => text.replace(line, several);
    assert.equal(importsLeft(edit, { imports }), `${imports}${several}\n`);
  });
});

describe('the empty line behind imports goes with the last of them', () => {
  const app = "const app = express();\n\napp.post('/a', h);\n";
  it('where it came with them', () => {
    const text = `import express from 'express';\n\n${app}`;
    const bare = "const app = require('express')();\n\napp.post('/a', h);\n";
    assert.equal(removed(added(text, ROUTE), ROUTE), text);
    assert.equal(removed(added(bare, ROUTE), ROUTE), bare);
    const windows = bare.replaceAll('\n', '\r\n');
    assert.equal(removed(added(windows, ROUTE), ROUTE), windows);
  });

  it('and code in its place stays', () => {
    const bare = "const fastify: FastifyInstance = make();\nfastify.post('/a', h);\n";
    const place = "fastify.post('/a'";
    const text = added(bare, place, { packageModules: 'esm' });
    for (const line of ['show();\n', '  show();\n', '/* a */\n']) {
      const edited = text.replace(/(from '@x402\/stellar\/exact\/server';\n)\n/, `$1${line}`);
      assert.notEqual(edited, text);
      assert.equal(removed(edited, place), line + bare);
    }
  });
});
