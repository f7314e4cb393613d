import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ERROR_TABLE } from '../../src/protocol/index.ts';
import { CATALOG_REASONS } from '../../src/protocol/wire/index.ts';
import { POLICY_ERRORS } from '../../src/server/policies/index.ts';
import { codesOf, routes } from './pages/httpPage.ts';
import { projectFile, projectRoot } from './pages/projectFile.ts';
import { sourceFiles } from './pages/sourceFiles.ts';

/** What the `code` of an error class is set to in these sources. */
function codesOfClasses(folder: string): string[] {
  return sourceFiles(folder).flatMap((path) =>
    [...projectFile(path).matchAll(/readonly code = '(\w+)'/g)].map(([, code = '']) => code),
  );
}

/** What `new CatalogError` is called with. */
function codesOfTools(): string[] {
  const [, union = ''] =
    /CatalogErrorCode =([^;]+);/.exec(projectFile('src/mcp/catalogError.ts')) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
}

const documented = new Set(
  readdirSync(join(projectRoot, 'docs/errors')).map((name) => name.replace(/\.md$/, '')),
);
const returned = new Set([
  ...Object.keys(ERROR_TABLE),
  ...Object.keys(POLICY_ERRORS),
  ...CATALOG_REASONS,
  ...codesOfClasses('src/sdk'),
  ...codesOfTools(),
]);

describe('docs/errors has the codes that the programs can report', () => {
  it('each of them', () => {
    assert.ok(returned.size > 130);
    assert.deepEqual(
      [...returned].filter((code) => !documented.has(code)),
      [],
    );
  });

  it('and no other', () => {
    assert.deepEqual(
      [...documented].filter((code) => !returned.has(code)),
      [],
    );
  });

  it('each is reported somewhere outside the tables', () => {
    const told = sourceFiles('src')
      .filter((path) => !/^src\/protocol\/errors\/|policyError\.ts$/.test(path))
      .map(projectFile)
      .join('\n');
    const silent = [...Object.keys(ERROR_TABLE), ...Object.keys(POLICY_ERRORS)].filter(
      (code) => !told.includes(`'${code}'`),
    );
    assert.deepEqual(silent, []);
  });

  it('each code of the facilitator is listed at a route of its description', () => {
    const described = new Set(
      routes().flatMap(({ path, operation }) =>
        Object.values(operation.responses).flatMap((answer) => codesOf(path, answer)),
      ),
    );
    const missing = Object.keys(ERROR_TABLE).filter((code) => !described.has(code));
    // No description lists a path that does not exist.
    assert.deepEqual(missing, []);
  });

  it('each page says what happened, whether money moved, and what to do', () => {
    for (const code of documented) {
      const page = projectFile(`docs/errors/${code}.md`);
      for (const heading of ['What happened', 'Was money moved?', 'What to do']) {
        assert.match(page, new RegExp(`^##+ ${heading.replace('?', '\\?')}\\n\\n\\S`, 'm'), code);
      }
    }
  });
});
