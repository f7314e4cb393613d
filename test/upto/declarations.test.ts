import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as Declared from '../../src/sdk/upto/declarations.d.ts';
import * as upto from '../../src/sdk/upto/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('what svc-x402/upto declares is what it exports', () => {
  it('the classes and functions by type, which the type check holds', () => {
    const Client: typeof Declared.UptoStellarClient = upto.UptoStellarClient;
    const Server: typeof Declared.UptoStellarServer = upto.UptoStellarServer;
    assert.equal(new Server().scheme, 'upto');
    assert.equal(Client.name, 'UptoStellarClient');
  });

  it('nothing more and nothing less by name', () => {
    const text = read('src/sdk/upto/declarations.d.ts');
    const names = [...text.matchAll(/^export (?:abstract )?(?:class|function) (\w+)/gm)];
    assert.deepEqual(names.map(([, name]) => name).sort(), Object.keys(upto).sort());
  });

  it('under the names that package.json gives', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    assert.deepEqual(exports['./upto'], {
      types: './dist/upto.d.ts',
      default: './dist/upto.js',
    });
  });
});
