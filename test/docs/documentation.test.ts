import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../../src/cli/program.ts';
import { configFromEnvironment } from '../../src/server/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/paid-api/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The heading's anchor, as code hosts make it. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

describe('the pages link to what is there', () => {
  for (const page of pages) {
    it(page, () => {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
      for (const [link, path = '', section] of links) {
        const target = path === '' ? page : join(dirname(page), path);
        assert.ok(existsSync(join(root, target)), link);
        if (section === undefined) continue;
        const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text ?? '');
        assert.ok(headings.map(anchor).includes(section), link);
      }
    });
  }
});

describe('the variables of the facilitator are told the same everywhere', () => {
  const names = (text: string) => new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT)\b/g));

  /** Every variable that is asked for. */
  function asked(): Set<string> {
    const seen = new Set<string>();
    const environment = new Proxy<Record<string, string>>(
      {
        STELLAR_RPC_URL: 'http://127.0.0.1:1',
        SPONSOR_SECRET: 'S',
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

  it('in docs/facilitator.md', () => {
    const table = read('docs/facilitator.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1] ?? '');
    assert.deepEqual(names(table.join(' ')), asked());
  });

  it('in svc-x402 facilitator --help', () => {
    const none = () => Promise.reject(new Error('nothing runs here'));
    const program = createProgram('', none, none);
    const command = program.commands.find((one) => one.name() === 'facilitator');
    let help = '';
    command?.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command?.outputHelp();
    const listed = help.slice(help.indexOf('Environment:'));
    assert.deepEqual(names(listed), asked());
  });
});
