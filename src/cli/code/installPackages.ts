import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import { findProgram, npmIn } from '../../machine/index.ts';
import { CliError } from '../cliError.ts';
import type { Report } from '../report.ts';
import { enginePackages } from './codeReport.ts';

/** What to install, and where. */
interface InstallOptions {
  readonly framework: Codegen.Framework;
  readonly project: Codegen.Project;
  readonly overrides: boolean;
  readonly report: Report;
  /** Whether the code uses our own engine instead of the published packages. */
  readonly isEngine: boolean;
}

/**
 * Adds the packages that a change needs to the user's project, with the project's own package manager and package source.
 * @throws CliError when the package manager fails
 */
export async function installPackages(
  code: typeof Codegen,
  { framework, project, overrides, report, isEngine }: InstallOptions,
): Promise<void> {
  const serves = code.packageSource(npmIn(project.folder));
  const { packages, missing } = isEngine
    ? await ofEngine(serves)
    : await ofSet(code, framework, serves);
  if (missing.length > 0) {
    const names = missing.map(({ name, version }) => `${name}@${version}`).join(', ');
    throw new CliError(
      'failed',
      `The package source of ${project.folder} does not serve ${names}.`,
    );
  }
  if (overrides) writeOverrides(code, project);
  const plan = code.installPlan(project, packages);
  report.say(`\n  ${plan.line}`, 'installing', { folder: plan.folder, command: plan.line });
  await run(plan.command, plan.args, plan.folder).catch((cause: unknown) => {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      'failed',
      `${plan.line} failed in ${plan.folder}:\n${told}\nIf a version of viem or ox is missing, try again with --with-overrides.`,
    );
  });
  report.say('  installed', 'installed', { folder: plan.folder });
}

type Packages = ReturnType<typeof Codegen.neededPackages>;
type Serves = ReturnType<typeof Codegen.packageSource>;

interface Needed {
  readonly packages: Packages;
  /** Those that the package source does not serve. */
  readonly missing: Packages;
}

async function ofEngine(serves: Serves): Promise<Needed> {
  const packages = enginePackages();
  const served = await Promise.all(packages.map(({ name, version }) => serves(name, version)));
  return { packages, missing: packages.filter((_, n) => !served[n]) };
}

async function ofSet(
  code: typeof Codegen,
  framework: Codegen.Framework,
  serves: Serves,
): Promise<Needed> {
  const { set, missing } = await code.chooseSet(framework, serves);
  return { packages: code.neededPackages(framework, set), missing };
}

function writeOverrides(code: typeof Codegen, { root, agent }: Codegen.Project): void {
  const path = join(root, 'package.json');
  // Deno has no overrides, and a project of its own has no package.json.
  if (agent === 'deno' || !existsSync(path)) return;
  const written = code.withOverrides(readFileSync(path, 'utf8'), agent);
  if (written !== undefined) writeFileSync(path, written);
}

async function run(name: string, given: readonly string[], folder: string): Promise<void> {
  const program = findProgram(name, folder);
  if (!program) throw new CliError('failed', `${name} was not found on this machine.`);
  const { command, args, windowsVerbatimArguments } = program(given);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd: folder,
      windowsVerbatimArguments,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = `${errors}${chunk.toString()}`.slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(errors.trim() || output.trim().slice(-2_000)));
    });
  });
}
