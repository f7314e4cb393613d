import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE } from '../../src/protocol/index.ts';

const PAGE = fileURLToPath(new URL('../../docs/errors.md', import.meta.url));

const MONEY = { no: 'no', fees: 'network fee only', unknown: 'look the hash up' } as const;

const HEAD = `# What the facilitator refuses, and why

Made from the table in \`src/protocol/errors\` by \`UPDATE_GOLDEN=1 npm run unit -- test/docs\`.

An answer carries the **reason** as \`invalidReason\` (\`/verify\`) or \`errorReason\` (\`/settle\`) and as
\`error\`; our **code** as \`reason\` and \`extra.cause\`; the specification's name, where it has one, as
\`extra.code\`; and \`extra.moneyMoved\`. The message ends with what to do.

| Code | Reason | Specification | HTTP | Money moved | Meaning | What to do |
|---|---|---|---|---|---|---|
`;

function page(): string {
  const rows = Object.entries(ERROR_TABLE).map(([code, row]) => {
    const specification =
      row.specification === null
        ? ''
        : row.specification === row.reason
          ? 'same'
          : `\`${row.specification}\``;
    const cells = [
      `\`${code}\``,
      `\`${row.reason}\``,
      specification,
      `${row.status}`,
      MONEY[row.moneyMoved],
      row.message,
      row.fix,
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  return HEAD + rows.join('');
}

describe('docs/errors.md', () => {
  it('is what the table of failures says', () => {
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, page());
    assert.equal(readFileSync(PAGE, 'utf8'), page());
  });
});
