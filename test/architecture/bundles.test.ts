import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly inputs: Readonly<Record<string, unknown>>;
        readonly imports: readonly { path: string; external?: boolean }[];
      }
    >
  >;
}

/** What a bundle may hold of ours, and which packages it must not carry. */
const rules = {
  extension: {
    // Of the code generation only which files are tests, which is asked of each file that is shown.
    folders: ['common', 'codegen', 'extension', 'machine', 'protocol', 'sdk'],
    without: [/stellar-sdk/, /ts-morph/, /^src\/codegen\/(?!testFiles\/)/],
  },
  payments: {
    folders: ['common', 'extension', 'machine', 'protocol', 'sdk'],
    without: [/ts-morph/],
  },
  codegen: { folders: ['common', 'codegen', 'protocol'], without: [/stellar-sdk/] },
  cli: { folders: ['common', 'cli', 'machine', 'protocol'], without: [/stellar-sdk/, /hono/] },
  server: { folders: ['common', 'cli', 'machine', 'protocol'], without: [/stellar-sdk/, /hono/] },
  service: {
    folders: [
      'common',
      'network',
      'cli',
      'handlers',
      'machine',
      'proxy',
      'server',
      'protocol',
      'sdk',
      'seller',
    ],
    without: [/ts-morph/],
  },
  seller: {
    folders: ['common', 'handlers', 'protocol', 'seller'],
    without: [/ts-morph/, /node-sqlite3/, /node_modules\/pg/, /hono/],
  },
  ledger: { folders: ['common', 'network'], without: [/ts-morph/, /node-sqlite3/] },
  mcp: { folders: ['common', 'mcp', 'machine', 'protocol'], without: [/stellar-sdk/] },
};

function metafile(name: string): Metafile | undefined {
  const url = new URL(`../../build/meta/${name}.json`, import.meta.url);
  return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as Metafile) : undefined;
}

describe('each bundle holds its own folders only', () => {
  for (const [name, { folders, without }] of Object.entries(rules)) {
    const file = metafile(name);
    if (!file) continue;
    const outputs = Object.values(file.outputs);
    const inputs = outputs.flatMap((output) => Object.keys(output.inputs));

    it(`${name}: ${folders.join(', ')}`, () => {
      const ours = new Set(
        inputs.flatMap((path) => /^(?:src\/)?((?!node_modules)[\w-]+)\//.exec(path)?.[1] ?? []),
      );
      assert.deepEqual(
        [...ours].filter((folder) => !folders.includes(folder)),
        [],
      );
      for (const heavy of without) {
        assert.deepEqual(
          inputs.filter((path) => heavy.test(path)),
          [],
        );
      }
    });

    it(`${name}: ${name === 'extension' ? 'only here' : 'never'} vscode`, () => {
      const external = outputs.flatMap(({ imports }) => imports.map(({ path }) => path));
      assert.equal(external.includes('vscode'), name === 'extension');
    });
  }
});
