import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../machine/index.ts';

/** Folder of an installed version: `publisher.name-1.2.3`, optionally followed by a platform. */
const VERSIONED = /^(.+?)-\d+\.\d+\.\d+/;

/**
 * Writes a program that starts the discovery server of the newest installed version. Copied configurations name it, so they
 * stay valid when an update removes this version's folder.
 * @param folder of the extension, untouched by updates
 * @param bundle `dist/mcp.js` of this version
 * @returns its path
 */
export async function writeLauncher(folder: string, bundle: string): Promise<string> {
  const path = join(folder, 'mcp.cjs');
  const text = launcherText(bundle);
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return path;
  makeFolder(folder);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
  return path;
}

function launcherText(bundle: string): string {
  const home = dirname(dirname(bundle));
  const name = VERSIONED.exec(basename(home))?.[1];
  return `// Written by Svc x402: starts the discovery server of the newest installed version.
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const extensions = ${JSON.stringify(dirname(home))};
const prefix = ${JSON.stringify(name === undefined ? null : `${name}-`)};
const known = ${JSON.stringify(bundle)};

const numbers = (folder) => folder.slice(prefix.length).split(/[.-]/, 3).map(Number);
const newestFirst = (a, b) => {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : right[at] - left[at];
};

function installed() {
  if (prefix === null || !existsSync(extensions)) return [];
  return readdirSync(extensions)
    .filter((folder) => folder.startsWith(prefix) && /^\\d/.test(folder.slice(prefix.length)))
    .sort(newestFirst)
    .map((folder) => join(extensions, folder, 'dist', 'mcp.js'));
}

const server = [...installed(), known].find((path) => existsSync(path));
if (server === undefined) {
  console.error('Svc x402 is no longer installed. Remove this MCP server from the configuration.');
  process.exit(1);
}
// The server starts if it is the program of this process.
process.argv[1] = server;
require(server);
`;
}
