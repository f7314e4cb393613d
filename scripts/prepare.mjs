// Prepares what the project needs to run: packages, and up-to-date bundles. Runs on plain Node before the first install.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, noteLeftOut } from './installed.mjs';
import { waiting } from './waiting.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const paidApi = join(root, 'examples', 'paid-api');
export const agentExample = join(root, 'examples', 'agent');

const oldestNode = 20;

/** Exits with a message if this Node is too old to build the project. */
export function requireNode() {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return;
  console.error(`This needs Node ${oldestNode} or later; this is ${process.version}.`);
  process.exit(2);
}

/** Installs the packages of each folder whose installed packages do not match its lock file. */
export async function install(...folders) {
  const missing = folders.filter((folder) => !isInstalled(folder));
  if (missing.length === 0) return;
  await waiting('installing packages', () =>
    Promise.all(
      missing.map(async (folder) => {
        await npmInstall(folder);
        noteLeftOut(folder);
      }),
    ),
  );
}

/** Bundles into dist/ if a source is newer than the bundles there. */
export async function buildIfStale() {
  const stamp = join(root, 'build', 'sources.sha256');
  const sources = fingerprint([
    'src',
    'common',
    'network/src',
    'network/host',
    'contracts/wasm',
    'esbuild.mjs',
    'package.json',
    'package-lock.json',
  ]);
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  if (current && existsSync(join(root, 'dist', 'cli.js'))) return;
  await waiting('building', () => run(process.execPath, ['esbuild.mjs']));
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stamp, sources);
}

/** Emits the published declarations into dist/ if a source is newer than those there. */
export async function declareIfStale() {
  const stamp = join(root, 'build', 'declarations.sha256');
  const sources = fingerprint([
    'src',
    'common',
    'network/src',
    'scripts/declarations.mjs',
    'tsconfig.json',
    'package-lock.json',
  ]);
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  if (current && existsSync(join(root, 'dist', 'sdk.d.ts'))) return;
  await waiting('emitting declarations', () =>
    run(process.execPath, [join('scripts', 'declarations.mjs')]),
  );
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stamp, sources);
}

/**
 * Runs a program in the root and returns its output; throws the output if it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const text = Buffer.concat(output).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}\n${text}`));
    });
  });
}

/**
 * Installs exactly what the lock file lists. Does not use `npm ci`, which rejects a lock file without the optional packages of
 * other platforms; npm omits those if its source does not serve them.
 */
function npmInstall(folder) {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // Under `npm start`, npm provides the path of its own program, which saves a search and a shell.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...args], { cwd: folder });
  return run('npm', args, { cwd: folder, shell: process.platform === 'win32' });
}

/** A hash over the names, sizes and times of all files under these paths. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    const { size, mtimeMs } = statSync(full);
    if (!statSync(full).isDirectory()) {
      hash.update(`${path} ${size} ${mtimeMs}\n`);
      return;
    }
    for (const entry of readdirSync(full).sort()) {
      if (entry !== 'target' && entry !== 'node_modules') add(join(path, entry));
    }
  };
  paths.forEach(add);
  return hash.digest('hex');
}
