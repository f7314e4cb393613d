import { projectFile } from './projectFile.ts';
import { COLUMNS, STEPS, type Step } from './settlementSteps.ts';

/** Whether a file has a function, method or member of this name. */
function has({ call, file }: Step): boolean {
  return new RegExp(`\\b(?:function )?${call}\\??(?:<[^>]*>)?(?:\\(|: \\()`).test(
    projectFile(file),
  );
}

/**
 * The way of one settlement as a Mermaid sequence, and the files it goes through.
 * @throws Error when a file no longer has what the drawing says is called
 */
export function settlementDrawing(): string {
  for (const step of STEPS) {
    if (!has(step)) throw new Error(`${step.file} has no ${step.call}`);
  }
  const columns = Object.entries(COLUMNS).map(([id, name]) => `  participant ${id} as ${name}`);
  const arrows = STEPS.map(({ from, to, call, note }) =>
    `  ${from}->>${to}: ${call}${note === undefined ? '' : ` (${note})`}`.replaceAll(';', ','),
  );
  const files = [...new Set(STEPS.map(({ file }) => file))].map((file) => `- \`${file}\``);
  return `\`\`\`mermaid
sequenceDiagram
${[...columns, ...arrows].join('\n')}
\`\`\`

Its files, in the order of the first call:

${files.join('\n')}
`;
}
