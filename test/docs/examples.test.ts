import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { codeBlocks, noteOf } from './commands/codeBlocks.ts';
import { projectRoot } from './pages/projectFile.ts';

const folder = join(projectRoot, 'build', 'docs-examples');
const paidApi = join(projectRoot, 'examples', 'paid-api', 'node_modules');

/** As apps have it; the examples leave out what a reader would not write down. */
const OPTIONS = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules', '@types')],
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
};

/** Packages as an app would have them installed; this one under its own name. */
function layOut(): void {
  rmSync(folder, { recursive: true, force: true });
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@stellar'), { recursive: true });
  const links: readonly (readonly [string, string])[] = [
    ['svc-x402', projectRoot],
    ['@x402', join(paidApi, '@x402')],
    ['express', join(paidApi, 'express')],
    ['@stellar/stellar-sdk', join(projectRoot, 'node_modules', '@stellar', 'stellar-sdk')],
    ...['hono', '@hono', 'fastify'].map(
      (name) => [name, join(projectRoot, 'node_modules', name)] as const,
    ),
    ['@modelcontextprotocol', join(projectRoot, 'node_modules', '@modelcontextprotocol')],
  ];
  for (const [name, target] of links) symlinkSync(target, join(packages, name));
  // The package of the SDK alone gives what the library in this one does.
  mkdirSync(join(packages, 'svc-x402-sdk'));
  writeFileSync(join(packages, 'svc-x402-sdk', 'index.d.ts'), "export * from 'svc-x402/sdk';\n");
  mkdirSync(join(packages, 'svc-stellar-network'));
  writeFileSync(
    join(packages, 'svc-stellar-network', 'index.d.ts'),
    "export * from 'svc-x402/ledger';\n",
  );
  // Express has its types in a package of its own, which the fixtures of payments in code carry.
  writeFileSync(
    join(folder, 'express.d.ts'),
    `declare module 'express' { const express: () => any; export default express; }\n`,
  );
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
}

describe('The examples of the pages type-check unchanged', () => {
  const files = new Map<string, string>();
  let complaints = '';

  before(() => {
    layOut();
    for (const block of codeBlocks('js', 'ts')) {
      const name = `${block.page.replaceAll(/[^\w]/g, '-')}-${block.line}.ts`;
      files.set(name, `${block.page}:${block.line}`);
      const text = `${noteOf(block, 'given') ?? ''}\n${block.text}export {};\n`;
      writeFileSync(join(folder, name), text);
    }
    const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    try {
      execFileSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      complaints = error instanceof Error && 'stdout' in error ? String(error.stdout) : `${error}`;
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('there are examples, and they are checked against the installed packages', () => {
    assert.ok(files.size >= 15);
    assert.ok(existsSync(join(folder, 'node_modules', '@x402')));
    assert.ok(readdirSync(dirname(paidApi)).includes('node_modules'));
  });

  it('without a compiler error', () => {
    const told = [...files].reduce(
      (text, [name, where]) => text.replaceAll(name, where),
      complaints,
    );
    assert.equal(told, '');
  });
});
