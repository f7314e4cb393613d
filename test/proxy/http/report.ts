import { judgementOf } from './judged.ts';
import type { Found } from './tools.ts';

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The table, and each failure with whose it is. */
export function reportOf(all: readonly Found[]): string {
  const rows = all.map(({ tool, cases, failures, absent }) =>
    absent === undefined
      ? row([tool, cases, failures.length])
      : row([tool, `not run: ${absent}`, '']),
  );
  const notes = all.flatMap(({ tool, failures }) =>
    failures.map((failure) => {
      const judged = judgementOf(failure);
      const whose = judged === undefined ? 'not judged' : `${judged.whose}: ${judged.reason}`;
      return `- ${tool}: ${failure.replaceAll(/\s+/g, ' ').slice(0, 300)} (${whose})`;
    }),
  );
  const head = [row(['Tool', 'Cases', 'Failures']), row(['---', '---', '---'])];
  return [...head, ...rows, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** Whether nothing was found that is ours, or that nobody looked at. */
export function isGood({ failures }: Found): boolean {
  return failures.every((failure) => judgementOf(failure)?.whose === 'theirs');
}

/** docs/evidence/http.md. @param commits of the checkouts */
export function pageOf(all: readonly Found[], commits: Readonly<Record<string, string>>): string {
  const pins = Object.entries(commits).map(
    ([name, commit]) => `\`${name}\` at \`${commit.slice(0, 12)}\``,
  );
  return `# Other people's HTTP tools against the proxy

Written by \`npm run lab -- http --checkouts FOLDER --write\`, with ${pins.join(', ')}, and Debian's slowhttptest and curl. Behind the proxy is an API
that reads HTTP/1.1 by the letter, and notes each request that two servers could read differently. Of the paths, \`/sold\` has a price and all others are free.

A failure is what a tool reports, a request for \`/sold\` that reached the API without a payment, and bytes from the proxy that the strict API refused.

${reportOf(all)}
`;
}
