import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProgram } from '../../src/cli/program.ts';
import { configFromEnvironment } from '../../src/server/index.ts';
import { testKey } from '../support/payer.ts';
import { projectFile } from './pages/projectFile.ts';
import { allSourceFiles } from './pages/sourceFiles.ts';

const names = (text: string) =>
  new Set(text.match(/\b[A-Z]+(?:_[A-Z\d]+)+\b|\b(?:HOST|PORT|PATH|LOCALAPPDATA)\b/g));

/** The first cells of the tables under a heading of docs/environment.md. */
function listed(heading: string): Set<string> {
  const page = projectFile('docs/environment.md');
  const from = page.indexOf(`## ${heading}\n`);
  assert.notEqual(from, -1, heading);
  const [section = ''] = page.slice(from + 3).split('\n## ');
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  return names(cells.join(' '));
}

/** Every variable that a facilitator asks for. */
function asked(): Set<string> {
  const seen = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {
      STELLAR_RPC_URL: 'http://127.0.0.1:1',
      SPONSOR_SECRET: testKey('a sponsor of the environment').secret,
      CHANNEL_SEED: 'sixteen characters',
      EMBEDDINGS_URL: 'http://127.0.0.1:1',
      EMBEDDINGS_MODEL: 'm',
    },
    {
      get(values, name) {
        if (typeof name === 'string') seen.add(name);
        return typeof name === 'string' ? values[name] : undefined;
      },
    },
  );
  configFromEnvironment(environment);
  return seen;
}

describe('The variables of the facilitator are listed the same everywhere', () => {
  it('in docs/environment.md', () => {
    assert.deepEqual(listed('For the facilitator'), asked());
  });

  it('in svc-x402 facilitator --help', () => {
    const none = () => Promise.reject(new Error('nothing runs here'));
    const command = createProgram('', none, none).commands.find(
      (one) => one.name() === 'facilitator',
    );
    let help = '';
    command?.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command?.outputHelp();
    assert.deepEqual(names(help.slice(help.indexOf('Environment:'))), asked());
  });
});

describe('The other variables that our programs read', () => {
  it('are in docs/environment.md, and no others', () => {
    const read = new Set(
      allSourceFiles()
        // What is generated for users' apps reads variables there.
        .filter((path) => !/^src\/(codegen|server\/http\/catalogPage)\//.test(path))
        .flatMap((path) => [
          ...projectFile(path).matchAll(
            /(?:process\.env|environment)\['([A-Z][A-Z_\d]+)'\]|= '(SVC_X402_[A-Z_]+)'/g,
          ),
        ])
        .map(([, name, own]) => name ?? own ?? ''),
    );
    const told = new Set([
      ...listed('For the data folder'),
      ...listed('For users of a facilitator'),
      ...listed('Between our own programs'),
    ]);
    assert.deepEqual([...told].sort(), [...read].sort());
  });
});
