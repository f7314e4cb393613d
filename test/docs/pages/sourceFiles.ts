import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './projectFile.ts';

/** Files below a folder whose paths match, by their paths from the root; packages are left out. */
export function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path, pattern);
    return pattern.test(path) ? [path] : [];
  });
}

/** TypeScript of what ships, without tests and declarations. */
export function sourceFiles(folder: string): string[] {
  return filesBelow(folder, /(?<!\.test|\.d)\.ts$/);
}

/** TypeScript of both products and of what they share. */
export function allSourceFiles(): string[] {
  return ['common', 'network/src', 'src'].flatMap(sourceFiles);
}
