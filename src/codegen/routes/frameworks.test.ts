import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSource } from '../source/sourceFile.ts';
import { evidenceOf, packageRole, roleName } from './frameworks.ts';

const names = (text: string, dependencies?: readonly string[]) => {
  const { file, manifest } = evidenceOf(parseSource('app.js', text), { dependencies });
  return { file: file.map(roleName), manifest: manifest?.map(roleName) };
};

describe('a package says which server a file has', () => {
  it('by its name, and by nothing that merely resembles it', () => {
    assert.deepEqual(packageRole('hono/tiny'), { kind: 'sold', framework: 'hono' });
    assert.deepEqual(packageRole('@hono/node-server'), { kind: 'sold', framework: 'hono' });
    assert.deepEqual(packageRole('@fastify/cors'), { kind: 'sold', framework: 'fastify' });
    assert.deepEqual(packageRole('@adonisjs/core'), { kind: 'other', name: 'AdonisJS' });
    for (const module of ['phono/x', '@acme/hono/x', 'x@fastify/y', 'toString']) {
      assert.equal(packageRole(module), undefined, module);
    }
  });

  it('NestJS counts where no other server is named: it runs on Express or Fastify', () => {
    assert.deepEqual(names('', ['@nestjs/common']).manifest, ['NestJS']);
    assert.deepEqual(names('', ['@nestjs/common', 'express']).manifest, ['Express']);
  });

  it('whether it is imported or required, with spaces or without', () => {
    assert.deepEqual(names("import Koa from 'koa';").file, ['Koa']);
    assert.deepEqual(names("const Koa = require('koa');").file, ['Koa']);
    assert.deepEqual(names("const Koa = require( 'koa' );").file, ['Koa']);
  });
});
