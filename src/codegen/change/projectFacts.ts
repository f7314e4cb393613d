import type { SourceText } from '../findRoutes.ts';
import { formatterSettings } from '../packages/formatter.ts';
import { honoMounts } from '../packages/honoMounts.ts';
import { importersOf } from '../packages/importers.ts';
import { importOrigins } from '../packages/origins.ts';
import { payToVariable } from '../packages/payToVariable.ts';
import {
  dependencyNames,
  findProject,
  type Project,
  type ProjectFiles,
} from '../packages/project.ts';
import { runtimeOf } from '../packages/runtime.ts';
import { type ResolutionProblem, resolutionProblem } from '../packages/typescriptResolution.ts';
import type { Surroundings } from '../routes/frameworks.ts';
import type { AddPaymentInput, FrameworkVersions } from './change.ts';

/** The parts of a project's file that matter for finding its routes. */
export interface SourceInProject {
  readonly source: SourceText;
  readonly project: Project | undefined;
}

/** Facts about a project that affect the code written into its files. */
export interface WritingFacts
  extends Pick<
    AddPaymentInput,
    | 'packageName'
    | 'packageModules'
    | 'versions'
    | 'formatter'
    | 'runtime'
    | 'runtimeProblem'
    | 'importers'
    | 'payToVariable'
  > {
  /** TypeScript settings that cannot resolve the x402 packages. */
  readonly resolution: ResolutionProblem | undefined;
}

/**
 * Reads the project of a file. The command line and the editor both use this, so they find the same routes.
 * @param file with `/`
 */
export async function sourceInProject(
  file: string,
  text: string,
  files: ProjectFiles,
  framework?: Surroundings['framework'],
): Promise<SourceInProject> {
  const project = await findProject(file, files);
  const path = project ? file.slice(project.folder.length + 1) : file;
  const dependencies = project && dependencyNames(project);
  const mounts = project && (await honoMounts(file, text, project.folder, files));
  const origins = await importOrigins(file, text, project?.manifest.imports ?? {}, files);
  return { source: { path, text, dependencies, framework, origins, mounts }, project };
}

/** Reads what `addPayment` needs to know about a project. Settings that are programs are not run. */
export async function writingFacts(
  file: string,
  project: Project | undefined,
  files: ProjectFiles,
): Promise<WritingFacts> {
  const { name, type } = project?.manifest ?? {};
  const runtime = project && (await runtimeOf(project, files));
  return {
    packageName: name,
    packageModules: project && (type === 'module' ? 'esm' : 'commonjs'),
    versions: project && (await frameworkVersions(project, files)),
    runtime: runtime?.name,
    runtimeProblem: runtime?.problem,
    payToVariable:
      project && (await payToVariable((await files.read(file)) ?? '', project.folder, files)),
    importers: project && (await importersOf(file, project.folder, files)),
    formatter: await formatterSettings(file, files),
    resolution: await resolutionProblem(file, files),
  };
}

/** The framework versions that are installed for a project, or the ranges that it requires. */
export async function frameworkVersions(
  { folder, manifest }: Project,
  files: ProjectFiles,
): Promise<FrameworkVersions> {
  const found: Record<string, string> = {};
  for (const name of ['express', 'fastify', 'hono', 'next'] as const) {
    const asked = { ...manifest.devDependencies, ...manifest.dependencies }[name];
    const version = (await installedVersion(folder, name, files)) ?? asked;
    if (version !== undefined) found[name] = version;
  }
  return found;
}

/** Looks for a package as Node does, but reads only its manifest. */
async function installedVersion(
  folder: string,
  name: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  for (let at = folder; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
    const text = await files.read(`${at}/node_modules/${name}/package.json`);
    if (text === undefined) continue;
    try {
      const { version } = JSON.parse(text) as { version?: unknown };
      return typeof version === 'string' ? version : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
