import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './projectFile.ts';

interface Cruised {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

/** Files of ours and what they import, as dependency-cruiser reads them. */
export function readImports(): readonly (readonly [from: string, to: string])[] {
  const bin = join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const text = execFileSync(
    process.execPath,
    [
      bin,
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'common',
      'network/src',
      'src',
    ],
    { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { modules } = JSON.parse(text) as Cruised;
  return modules
    .filter(({ source }) => !source.includes('.test.'))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }): readonly [string, string] => [source, resolved]),
    );
}

/** The folder below `root` that holds a file; files directly in `root` have none. Below `src`, also what is beside it. */
function folderBelow(root: string, file: string): string | undefined {
  if (root === 'src' && file.startsWith('common/')) return 'common';
  if (root === 'src' && file.startsWith('network/src/')) return 'network';
  if (!file.startsWith(`${root}/`)) return undefined;
  const [folder, rest] = file.slice(root.length + 1).split('/');
  return rest === undefined ? undefined : folder;
}

/** The folders below `root` and who imports whom, as a Mermaid drawing. */
export function folderDrawing(
  root: string,
  imports: readonly (readonly [from: string, to: string])[],
): string {
  const arrows = new Set<string>();
  for (const [from, to] of imports) {
    const importer = folderBelow(root, from);
    const imported = folderBelow(root, to);
    if (importer !== undefined && imported !== undefined && importer !== imported)
      arrows.add(`  ${importer} --> ${imported}`);
  }
  return `\`\`\`mermaid\nflowchart LR\n${[...arrows].sort().join('\n')}\n\`\`\`\n`;
}
