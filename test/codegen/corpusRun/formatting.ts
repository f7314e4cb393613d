import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JudgedFile } from './judgeFile.ts';

/** Files that a formatter leaves alone before a payment, and those of them that it does not after. */
export interface Kept {
  readonly clean: number;
  readonly spoilt: readonly string[];
}

export type Formatter = (root: string, files: readonly JudgedFile[]) => Promise<Kept>;

interface Prettier {
  resolveConfig(path: string, options: object): Promise<object | null>;
  check(text: string, options: object): Promise<boolean>;
}

/** @param module the folder of an installed Prettier: it is not a package of this project */
export async function formatterOf(module: string): Promise<Formatter> {
  const prettier = (await import(
    pathToFileURL(join(resolve(module), 'index.mjs')).href
  )) as unknown as Prettier;
  return async (root, files) => {
    const spoilt: string[] = [];
    let clean = 0;
    for (const { path: filepath, source, allSold } of files) {
      if (allSold === undefined) continue;
      const config = await prettier
        .resolveConfig(filepath, { editorconfig: true })
        // Settings in code or with plugins that are not installed.
        .catch(() => null);
      // Without settings nobody says that the project is formatted at all.
      if (config === null) continue;
      const options = { ...config, plugins: [], filepath };
      const isClean = (text: string) => prettier.check(text, options).catch(() => false);
      if (!(await isClean(source.text))) continue;
      clean += 1;
      if (!(await isClean(allSold))) spoilt.push(relative(root, filepath));
    }
    return { clean, spoilt };
  };
}
