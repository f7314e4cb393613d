import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needTool, runTool } from '../../clients/tool.ts';

const apps = fileURLToPath(new URL('apps', import.meta.url));
const build = fileURLToPath(new URL('../../../build/foreign', import.meta.url));

/** Where the servers of others are, or why they are not here, by what installs them. */
export interface Installed {
  /** A folder with the apps, and packages of npm beside them. */
  readonly folder: string;
  readonly python: string;
  /** Folder of the programs of Go. */
  readonly go: string;
  /** What could not be prepared. */
  readonly missing: ReadonlyMap<Preparation, string>;
}

export type Preparation = 'npm' | 'python' | 'go' | 'php' | 'sinatra';

/** Installs the pinned packages of npm, PyPI and Go into build/foreign, unless they are there. What fails is reported, not thrown. */
export async function installForeign(say: (line: string) => void): Promise<Installed> {
  const folder = join(build, 'apps');
  const note = join(build, 'installed.txt');
  const wanted = ['package.json', 'package-lock.json', 'requirements.txt', 'chi/go.sum']
    .map((name) => readFileSync(join(apps, name), 'utf8'))
    .join('\n');
  const isThere = existsSync(note) && readFileSync(note, 'utf8') === wanted;
  if (!isThere) rmSync(build, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(apps, folder, { recursive: true });
  const venv = join(build, 'python');
  const python = join(venv, 'bin', 'python');
  const go = join(build, 'go');
  const missing = new Map<Preparation, string>();
  const prepare = async (what: Preparation, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => {
      missing.set(what, error instanceof Error ? error.message : String(error));
    });
  };
  const run = (command: string, args: readonly string[], cwd = folder) =>
    needTool(command, args, { cwd, seconds: 300 });
  if (!isThere) {
    say('installing');
    await prepare('npm', () =>
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    );
    await prepare('python', async () => {
      await run('python3', ['-m', 'venv', venv]);
      const options = ['--quiet', '--disable-pip-version-check', '--no-input'];
      await run(python, ['-m', 'pip', 'install', ...options, '-r', 'requirements.txt']);
    });
    await prepare('go', async () => {
      for (const name of ['net-http', 'chi'])
        await run('go', ['build', '-o', join(go, name), '.'], join(folder, name));
    });
    if (missing.size === 0) writeFileSync(note, wanted);
  }
  await prepare('php', () => run('php', ['--version']));
  const sinatra = await runTool('ruby', ['-e', 'require "sinatra/base"; require "puma"'], {
    ...{ cwd: folder, seconds: 30 },
  });
  if (sinatra.code !== 0) missing.set('sinatra', 'apt-get install ruby-sinatra puma');
  return { folder, python, go, missing };
}
