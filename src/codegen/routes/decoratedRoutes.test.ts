import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../findRoutes.ts';

const routesOf = (text: string) =>
  findRoutes({ path: 'src/cats.ts', text }).map(
    ({ method, path, refusal }) => `${method} ${path} ${refusal?.code}`,
  );

const controller = (decorator: string, imports: string) =>
  `${imports}\nclass Cats {\n  ${decorator}\n  find() {\n    return [];\n  }\n}\n`;

describe('routes made by decorators are listed, and not changed', () => {
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

  it('of Ts.ED, before and since its decorators moved', () => {
    for (const module of ['@tsed/common', '@tsed/schema']) {
      const text = controller("@Get('/cats')", `import { Get } from '${module}';`);
      assert.deepEqual(routesOf(text), ['GET /cats decorators'], module);
    }
  });

  it("of the project's own, in a class that is decorated as a controller", () => {
    const imports = "import { Controller, Get, Post } from '@/decorators';";
    const text = `${imports}\n@Controller('/cats')\nclass Cats {\n  @Get('/')\n  list() {}\n  @Post('/:id')\n  add() {}\n}\n`;
    assert.deepEqual(routesOf(text), ['GET / decorators', 'POST /:id decorators']);
    const named = text.replaceAll('Controller', 'RestController');
    assert.deepEqual(routesOf(named), ['GET / decorators', 'POST /:id decorators']);
    for (const other of ['@Injectable()', '@Controllers()', '']) {
      assert.deepEqual(routesOf(text.replace("@Controller('/cats')", other)), [], other);
    }
    const computed = text.replace("@Get('/')", '@Get(() => Cat)');
    assert.deepEqual(routesOf(computed), ['POST /:id decorators']);
  });

  it('with the path from the root, or none, and the code of one that is not known', () => {
    const imports = "import { Get as Read } from '@nestjs/common';\nconst PATH = 'cats';";
    for (const [argument, path] of [
      ["'cats/:id'", '/cats/:id'],
      ['PATH', '/cats'],
      ['', '/'],
      ['other.path', 'other.path'],
    ]) {
      const text = controller(`@Read(${argument})`, imports);
      assert.deepEqual(routesOf(text), [`GET ${path} decorators`]);
    }
  });

  it('below the path of their controller, where the code shows it', () => {
    const imports = "import { Controller, Get } from '@nestjs/common';\nconst CATS = 'cats';";
    for (const [argument, method, path] of [
      ["'cats'", "':id'", '/cats/:id'],
      ['CATS', '', '/cats'],
      ["{ path: '/cats', version: '1' }", "'all'", '/cats/all'],
      ["{ route: 'cats' }", "'/'", '/cats'],
      ['', "'all'", undefined],
      ['other.path', "'all'", undefined],
      ["'cats'", 'other.path', undefined],
    ] as const) {
      const text = `${imports}\n@Controller(${argument})\nclass Cats {\n  @Get(${method})\n  find() {}\n}\n`;
      const [route] = findRoutes({ path: 'src/cats.ts', text });
      assert.equal(route?.mounted, path, argument);
    }
  });

  it('and no other decorator', () => {
    const nest = "import { Get, Injectable } from '@nestjs/common';";
    assert.deepEqual(routesOf(controller("@Injectable('/cats')", nest)), []);
    assert.deepEqual(routesOf(controller('@Get', nest)), []);
    assert.deepEqual(routesOf(controller("@Get('/cats')", "import { Get } from './mine';")), []);
  });
});
