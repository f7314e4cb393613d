import { resolveCommand } from 'package-manager-detector/commands';
import type { Agent, Project } from './project.ts';

/** A command, and the folder to run it in. */
export interface InstallPlan {
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The command as a person would type it. */
  readonly line: string;
}

/** Each package manager's option for saving an exact version. */
const EXACT: Readonly<Partial<Record<Agent, string>>> = {
  npm: '--save-exact',
  pnpm: '--save-exact',
  'pnpm@6': '--save-exact',
  yarn: '--exact',
  'yarn@berry': '--exact',
  bun: '--exact',
};

/** Package managers that need an option to install into the root of a workspace. */
const ROOT: Readonly<Partial<Record<Agent, string>>> = {
  pnpm: '--workspace-root',
  'pnpm@6': '--workspace-root',
  yarn: '--ignore-workspace-root-check',
};

/**
 * The command that adds packages to a project. It runs in the folder of the package, where each package manager finds the
 * workspace by itself.
 */
export function installPlan(
  { agent, folder, workspace }: Project,
  packages: readonly { readonly name: string; readonly version: string }[],
): InstallPlan {
  const exact = EXACT[agent];
  const root = workspace === 'root' ? ROOT[agent] : undefined;
  const given = [
    ...(exact ? [exact] : []),
    ...(root ? [root] : []),
    // Deno takes a name without `npm:` for one of JSR.
    ...packages.map(({ name, version }) => `${agent === 'deno' ? 'npm:' : ''}${name}@${version}`),
  ];
  const resolved = resolveCommand(agent, 'add', given) ?? { command: 'npm', args: ['i', ...given] };
  return { folder, ...resolved, line: [resolved.command, ...resolved.args].join(' ') };
}
