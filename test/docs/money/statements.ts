import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile, projectRoot } from '../pages/projectFile.ts';
import { allSourceFiles, filesBelow } from '../pages/sourceFiles.ts';
import { codeStatements } from './codeStatements.ts';
import { manifestStatements, pageStatements } from './pageStatements.ts';
import type { Statement } from './statement.ts';

/**
 * Pages that need no rows: decisions and evidence report what was found at one time, and the others are generated from sources
 * that are read here themselves.
 */
const WITHOUT_ROWS =
  /^docs\/(?:decisions|evidence|errors)\/|^docs\/(?:errors|http|command-line|contracts|logs|licences|ledger-reference|seller-reference|upto-reference|settings)\.md$/;

/** Sources of pages about failures, beside the tables in `src`. */
const SOURCES_OF_PAGES = [
  'test/docs/pages/catalogReasons.ts',
  'test/docs/pages/clientFailures.ts',
  'test/docs/pages/errorNotes.ts',
  'test/docs/pages/errorPages.ts',
];

/** Pages outside `docs`, examples included. */
const OTHER_PAGES = [
  'README.md',
  'SECURITY.md',
  'llms.txt',
  'src/sdk/README.md',
  'src/extension/README.md',
  'examples/agent/README.md',
  'examples/paid-api/README.md',
  'examples/python-api/README.md',
];

function pages(): readonly string[] {
  const guides = filesBelow('docs', /\.md$/).filter((path) => !WITHOUT_ROWS.test(path));
  const others = OTHER_PAGES.filter((path) => existsSync(join(projectRoot, path)));
  return [...others, ...guides, ...filesBelow('skills', /\.md$/)];
}

/** Returns every place in the product and its pages that says something about money. */
export function moneyStatements(): readonly Statement[] {
  return [
    ...[...allSourceFiles(), ...SOURCES_OF_PAGES].flatMap((path) =>
      codeStatements(path, projectFile(path)),
    ),
    ...manifestStatements('package.nls.json', projectFile('package.nls.json')),
    ...pages().flatMap((path) => pageStatements(path, projectFile(path))),
  ];
}
