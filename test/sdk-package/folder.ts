import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

const execute = promisify(execFile);
const LIMIT_MS = 120_000;
/** Packing builds first where sources have changed. */
const PACKING_LIMIT_MS = 600_000;

/** Runs a program and returns what it printed on stdout. @throws with its output when it fails */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  timeout = LIMIT_MS,
): Promise<string> {
  const options = { cwd, timeout, env: { ...process.env, ...env }, maxBuffer: 2 ** 24 };
  const { stdout } = await execute(program, [...args], options);
  return stdout;
}

/** Packs the SDK. @returns the path of the tarball */
export async function packSdk(folder: string): Promise<string> {
  const packed = join(folder, 'svc-x402-sdk.tgz');
  const args = ['scripts/packSdk.mjs', packed];
  await run(process.execPath, args, projectRoot, {}, PACKING_LIMIT_MS);
  return packed;
}

/** A folder outside of the project, with nothing but the installed package; deleted when it is left. */
export async function strangersFolder(packed: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-sdk-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // It has no dependencies: nothing is asked of a registry.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], folder);
  return folder;
}

/** Installs packages of the registry into a folder of build/, once, and returns their node_modules. */
export async function fromRegistry(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(projectRoot, 'build', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...args, '--prefer-offline', ...packages], folder);
  return join(folder, 'node_modules');
}
