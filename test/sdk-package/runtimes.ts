import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromRegistry, run } from './folder.ts';
import { commonProgram, moduleProgram, type Purchase } from './programs.ts';

/** A JavaScript runtime that runs a file. */
export interface Runtime {
  readonly name: string;
  readonly file: string;
  readonly program: (purchase: Purchase) => string;
  /** @returns the command before the file's name; throws where it is not served for this system */
  command(): Promise<readonly [string, ...string[]]>;
}

const { platform, arch } = process;
const windows = platform === 'win32';

/** The newest of each line that the registry serves. */
const NODES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0'];
const BUN = '1.4.5';
const DENO = '2.9.6';

/** Node, Bun and Deno as packages of the registry, with ES modules; each Node with CommonJS too. */
export function runtimes(short: boolean): readonly Runtime[] {
  if (short) {
    const here = async () => [process.execPath] as const;
    return bothKinds(`Node ${process.versions.node}`, here);
  }
  return [
    ...NODES.flatMap((version) => bothKinds(`Node ${version}`, () => nodeOf(version))),
    { name: `Bun ${BUN}`, file: 'buy.mjs', program: moduleProgram, command: bun },
    { name: `Bun ${BUN}, CommonJS`, file: 'buy.cjs', program: commonProgram, command: bun },
    { name: `Deno ${DENO}`, file: 'buy.mjs', program: moduleProgram, command: deno },
    { name: `Deno ${DENO}, CommonJS`, file: 'buy.cjs', program: commonProgram, command: deno },
  ];
}

function bothKinds(name: string, command: Runtime['command']): readonly Runtime[] {
  return [
    { name, file: 'buy.mjs', program: moduleProgram, command },
    { name: `${name}, CommonJS`, file: 'buy.cjs', program: commonProgram, command },
  ];
}

async function nodeOf(version: string): Promise<readonly [string]> {
  const name = `node-${windows ? 'win' : platform}-${arch}`;
  const packages = await fromRegistry(join('node', version), [`${name}@${version}`]);
  return found(packages, name, 'bin', windows ? 'node.exe' : 'node');
}

async function bun(): Promise<readonly [string, string]> {
  const name = `@oven/bun-${windows ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
  const packages = await fromRegistry(join('bun', BUN), [`${name}@${BUN}`]);
  return [...found(packages, name, 'bin', windows ? 'bun.exe' : 'bun'), 'run'];
}

async function deno(): Promise<readonly [string, ...string[]]> {
  const libc = platform === 'linux' ? '-glibc' : '';
  const name = `@deno/${platform}-${arch}${libc}`;
  const packages = await fromRegistry(join('deno', DENO), [`${name}@${DENO}`]);
  // What a program that buys needs, and nothing else: no files beyond the package, no environment, no other host.
  const rights = ['--allow-net=127.0.0.1', '--node-modules-dir=manual', '--no-prompt'];
  return [...found(packages, name, windows ? 'deno.exe' : 'deno'), 'run', ...rights];
}

function found(packages: string, ...path: readonly string[]): readonly [string] {
  const file = join(packages, ...path);
  if (!existsSync(file)) throw new Error(`the registry has no program ${path.join('/')}`);
  return [file];
}

/** Buys in a folder with the package. @returns what the program printed */
export async function buyWith(
  { file, program }: Runtime,
  [executable, ...args]: readonly [string, ...string[]],
  folder: string,
  purchase: Purchase,
): Promise<string> {
  writeFileSync(join(folder, file), program(purchase));
  return run(executable, [...args, file], folder, { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' });
}
