import { basename } from 'node:path';
import { type Matched, matchRows } from '../money/compare.ts';
import { type Claim, isClaim, listOf, type NoClaim } from '../money/row.ts';
import type { Statement } from '../money/statement.ts';
import { moneyStatements } from '../money/statements.ts';
import { MONEY_TABLE } from '../money/table.ts';
import { code, madeFrom, table } from './markdown.ts';

/** Characters of a sentence that the table repeats; the source has the rest. */
const LONGEST_QUOTE = 120;
/** Statements that a row lists; groups of failures have more, each with a page of its own. */
const MAX_LISTED = 8;

/** `docs/evidence/money.md`: every place that says something about money, with what it is derived from. */
export function moneyPage(): string {
  const statements = moneyStatements();
  const parts = MONEY_TABLE.map(({ title, rows }) => {
    const matched = matchRows(rows, statements);
    const claims = matched.filter(isForClaim).map(claimRow);
    const others = matched.filter(isForNoClaim).map(otherRow);
    const first =
      claims.length === 0 ? '' : table(['Place', 'Says', 'State', 'From', 'Test'], claims);
    const second =
      others.length === 0
        ? ''
        : `\nSays nothing about an authorization:\n\n${table(['Place', 'About'], others)}`;
    return `## ${title}\n\n${first}${second}`;
  });
  return `# Every statement about money

${madeFrom('the rows in `test/docs/money/rows` and the statements in the sources')}
Each place in the product and its pages that says something about a payment's money, with the state of the authorization that it is derived
from ([what answers mean](../money.md)). \`npm test\` scans sources, texts and pages (\`test/docs/moneyStatements.test.ts\`) and fails on a statement
without a row, on a row without its statement or test, and on a value that contradicts its state. **Each**: whichever state holds at that
moment. **None**: no authorization exists that the sentence could be about. German texts are translations under the same keys.

${parts.join('\n')}`;
}

function isForClaim(each: Matched): each is Matched & { readonly row: Claim } {
  return isClaim(each.row);
}

function isForNoClaim(each: Matched): each is Matched & { readonly row: NoClaim } {
  return !isClaim(each.row);
}

function claimRow({ file, row, statements }: Matched & { readonly row: Claim }): string[] {
  const { state, evidence, from, test, finding } = row;
  const proof = listOf(evidence).map(code);
  const states = listOf(state).join(', ');
  const [path, title] = test;
  return [
    placesOf(file, statements),
    saidBy(statements),
    proof.length === 0 ? states : `${states}: ${proof.join(', ')}`,
    finding === undefined ? from : `${from} (**not yet**: ${finding})`,
    `[${basename(path).replace(/\..*/, '')}](../../${path}): "${title}"`,
  ];
}

function otherRow({ file, row, statements }: Matched & { readonly row: NoClaim }): string[] {
  return [placesOf(file, statements), row.about];
}

function placesOf(file: string, statements: readonly Statement[]): string {
  const declarations = [
    ...new Set(statements.map(({ at }) => at.replace(/\.(?:moneyMoved|message|fix)$/, ''))),
  ];
  const named = declarations.filter((at) => at !== '').map((at) => code(at));
  const link = `[${file.replace(/^src\//, '')}](../../${file})`;
  return named.length === 0 ? link : `${link}: ${named.join(', ')}`;
}

function saidBy(statements: readonly Statement[]): string {
  const said = [...new Set(statements.map(({ text }) => quoted(text)))];
  const more = said.length - MAX_LISTED;
  return more > 0 ? `${said.slice(0, MAX_LISTED).join('; ')}; ${more} more` : said.join('; ');
}

/** Links of the quoted pages would be links of this one; code stays code, unless it is cut off. */
function quoted(text: string): string {
  const plain = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*|<>]/g, '')
    .trim();
  const cut = plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE).trimEnd()}…` : plain;
  if (cut.split('`').length % 2 === 1) return cut;
  const unmatched = cut.lastIndexOf('`');
  return cut.slice(0, unmatched) + cut.slice(unmatched + 1);
}
