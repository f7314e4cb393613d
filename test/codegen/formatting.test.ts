import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type FormatterSettings, formatterSettings } from '../../src/codegen/index.ts';
import { corpus } from './corpus.ts';
import { judgeFile } from './corpusRun/judgeFile.ts';

const biome = fileURLToPath(
  new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url),
);

/** Settings as projects have them; each kind appears at least once. */
const PROJECTS: Readonly<Record<string, object>> = {
  'its defaults': {},
  'single quotes, spaces': { quoteStyle: 'single', indentStyle: 'space' },
  'no semicolons, no commas': {
    semicolons: 'asNeeded',
    trailingCommas: 'none',
    indentStyle: 'space',
  },
  'four spaces, 120 columns, commas in lists only': {
    indentStyle: 'space',
    indentWidth: 4,
    lineWidth: 120,
    trailingCommas: 'es5',
  },
  'wide tabs, 100 columns': { indentWidth: 4, lineWidth: 100, arrowParentheses: 'asNeeded' },
  'no spaces in braces, 200 columns': {
    bracketSpacing: false,
    lineWidth: 200,
    indentStyle: 'space',
  },
  '76 columns': { lineWidth: 76, indentStyle: 'space' },
};

describe('G9: a file that its formatter leaves unchanged stays so with all its payments', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-format-'));
  const at = (...path: string[]) => join(folder, ...path);
  before(() => {
    for (const [index, options] of Object.values(PROJECTS).entries()) {
      const { quoteStyle, semicolons, trailingCommas, bracketSpacing, arrowParentheses, ...rest } =
        options as Record<string, unknown>;
      const formatter = {
        quoteStyle,
        semicolons,
        trailingCommas,
        bracketSpacing,
        arrowParentheses,
      };
      put(`${index}/biome.json`, JSON.stringify({ formatter: rest, javascript: { formatter } }));
      for (const { path, text } of cases()) put(`${index}/${path}`, text);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  function put(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }

  for (const [index, name] of Object.keys(PROJECTS).entries()) {
    it(name, async () => {
      format(at(String(index)));
      const formatter = await settingsIn(String(index));
      const sold: string[] = [];
      for (const { path, inProject } of cases()) {
        const text = readFileSync(at(String(index), path), 'utf8');
        const source = { path: inProject, text };
        const { allSold } = judgeFile(path, source, { ...NOTHING, formatter }, 1);
        if (allSold === undefined) continue;
        sold.push(path);
        put(`${index}/${path}`, allSold);
      }
      const written = sold.map((path) => readFileSync(at(String(index), path), 'utf8'));
      format(at(String(index)));
      for (const [order, path] of sold.entries()) {
        assert.equal(written[order], readFileSync(at(String(index), path), 'utf8'), path);
      }
      assert.ok(sold.length > 70, `${sold.length} files sold`);
    });
  }

  function settingsIn(project: string): Promise<FormatterSettings> {
    return formatterSettings(at(project, 'a.ts'), {
      exists: async () => false,
      read: async (path) => (path.endsWith('biome.json') ? readFileSync(path, 'utf8') : undefined),
    });
  }
});

const NOTHING = {
  packageName: undefined,
  packageModules: undefined,
  versions: undefined,
  resolution: undefined,
} as const;

function cases() {
  return corpus().map(({ name, extension, text, path }) => ({
    path: `${name}${extension}`,
    /** By which routes of Next.js are recognised. */
    inProject: path,
    text,
  }));
}

/** Formats what can be parsed, and leaves the rest. */
function format(folder: string): void {
  try {
    execFileSync(process.execPath, [biome, 'format', '--write', '.'], {
      cwd: folder,
      stdio: 'pipe',
    });
  } catch (error) {
    const { status } = error as { status?: unknown };
    assert.equal(status, 1, String(error));
  }
}
