import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** A program and what goes in front of its own arguments. Nothing of it is found by a shell. */
export interface Program {
  readonly command: string;
  readonly before: readonly string[];
}

/**
 * Finds a package manager by an absolute path outside of a project. A shell would look in the
 * current folder first on Windows, and a project can put a program of that name into `PATH` through
 * `node_modules/.bin`.
 * @param project the folder whose programs never count
 * @returns `undefined` where the machine has none
 */
export function findProgram(
  name: string,
  project: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): Program | undefined {
  const windows = platform === 'win32';
  const paths = environment['PATH'] ?? environment['Path'] ?? '';
  const own = dirname(process.execPath);
  const folders = [own, ...paths.split(delimiter)].filter(
    (folder) => isAbsolute(folder) && !isInside(resolve(folder), project),
  );
  for (const folder of folders) {
    if (name === 'npm' || name === 'npx') {
      // npm's own script needs no shell, which `npm.cmd` would.
      for (const library of [
        join(folder, 'node_modules'),
        join(folder, '..', 'lib', 'node_modules'),
      ]) {
        const script = join(library, 'npm', 'bin', `${name}-cli.js`);
        if (existsSync(script)) return { command: process.execPath, before: [script] };
      }
    }
    for (const extension of windows ? ['.exe', '.cmd'] : ['']) {
      const path = join(folder, name + extension);
      if (!existsSync(path) || isInside(realpathSync(path), project)) continue;
      if (extension !== '.cmd') return { command: path, before: [] };
      const shell = join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe');
      return { command: shell, before: ['/d', '/s', '/c', path] };
    }
  }
  return undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
