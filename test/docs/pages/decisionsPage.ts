import { basename } from 'node:path';
import { projectFile } from './projectFile.ts';
import { filesBelow } from './sourceFiles.ts';

/** One decision of `docs/decisions/`, as its first lines state it. */
export interface Decision {
  /** The path from the root. */
  readonly file: string;
  /** Four digits, the start of the file's name. */
  readonly number: string;
  readonly title: string;
  readonly status: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

const HEAD = /^# (\d{4}): (.+)\n\n- Status: (.+)\n- Date: (\d{4}-\d\d-\d\d)\n\n/;

/**
 * Returns every decision, in the order of the numbers.
 *
 * @throws Error when a page does not start with its number, title, status and date
 */
export function decisions(): readonly Decision[] {
  return filesBelow('docs/decisions', /\/\d{4}-[^/]+\.md$/)
    .sort()
    .map((file) => {
      const [, number, title, status, date] = HEAD.exec(projectFile(file)) ?? [];
      if (!number || !title || !status || !date) {
        throw new Error(`${file} does not start with "# NNNN: Title", "- Status:" and "- Date:"`);
      }
      return { file, number, title, status, date };
    });
}

/** `docs/decisions/README.md`: the list of decisions. */
export function decisionsPage(): string {
  const rows = decisions().map(
    ({ file, number, title, status, date }) =>
      `| [${number}](${basename(file)}) | ${title} | ${status} | ${date} |`,
  );
  return `# Decisions

<!-- Made by \`npm run docs:generate\` from the pages beside it; changes here are overwritten. -->

Each page records one decision that changes or fills in the design: the choice, the reason, and what would change it. A
decision that no longer holds stays here: its status names the page that replaces it. To add one, copy the head of the newest
page, take the next number and run \`npm run docs:generate\`.

| | Decision | Status | Date |
|---|---|---|---|
${rows.join('\n')}
`;
}
