import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../findRoutes.ts';

const routesOf = (text: string) =>
  findRoutes({ path: 'src/cats.ts', text }).map(
    ({ method, path, refusal }) => `${method} ${path} ${refusal?.code}`,
  );

const controller = (decorator: string, imports: string) =>
  `${imports}\nclass Cats {\n  ${decorator}\n  find() {\n    return [];\n  }\n}\n`;

describe('methods that decorators make routes of are shown, and not changed', () => {
  for (const method of ['Get', 'Post', 'Put', 'Patch', 'Delete']) {
    it(`${method} of NestJS`, () => {
      const text = controller(`@${method}('/cats')`, `import { ${method} } from '@nestjs/common';`);
      assert.deepEqual(routesOf(text), [`${method.toUpperCase()} /cats decorators`]);
    });

    it(`${method.toUpperCase()} of fastify-decorators`, () => {
      const name = method.toUpperCase();
      const text = controller(`@${name}('/cats')`, `import { ${name} } from 'fastify-decorators';`);
      assert.deepEqual(routesOf(text), [`${name} /cats decorators`]);
    });
  }

  it('with the path from the root, a constant or none', () => {
    const imports = "import { Get as Read } from '@nestjs/common';\nconst PATH = 'cats';";
    for (const [argument, path] of [
      ["'cats/:id'", '/cats/:id'],
      ['PATH', '/cats'],
      ['', '/'],
      ['other.path', '/other.path'],
    ]) {
      const text = controller(`@Read(${argument})`, imports);
      assert.deepEqual(routesOf(text), [`GET ${path} decorators`]);
    }
  });

  it('and no other decorator', () => {
    const nest = "import { Get, Injectable } from '@nestjs/common';";
    assert.deepEqual(routesOf(controller("@Injectable('/cats')", nest)), []);
    assert.deepEqual(routesOf(controller('@Get', nest)), []);
    assert.deepEqual(routesOf(controller("@Get('/cats')", "import { Get } from './mine';")), []);
  });
});
