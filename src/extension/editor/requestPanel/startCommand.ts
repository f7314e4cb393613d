import type { Uri } from 'vscode';
import { fileInScript, likelyPort } from '../../server/index.ts';
import { inThread, projectFilesOf } from '../projectFiles.ts';

/** How a project's server is started. */
export interface StartCommand {
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The command as a person would type it. */
  readonly line: string;
}

/** The project of an endpoint, as far as it says how its server is started. */
interface ServerProject {
  readonly folder: string;
  /** The package manager. */
  readonly agent: string;
  /** `dev` if there is one, else `start`. */
  readonly script: { readonly name: string; readonly text: string } | undefined;
}

/** The script that starts the project: `dev` if there is one, else `start`, else the file itself. */
export async function startCommand(file: Uri): Promise<StartCommand | undefined> {
  const project = await serverProject(file);
  if (project === undefined) return undefined;
  const { folder, agent, script } = project;
  if (script !== undefined) {
    const args = ['run', script.name];
    return { folder, command: agent, args, line: [agent, ...args].join(' ') };
  }
  const name = file.path.slice(folder.length + 1);
  const isPlain = /^[\w./-]+\.[cm]?js$/.test(name) && !name.startsWith('-');
  return isPlain ? { folder, command: 'node', args: [name], line: `node ${name}` } : undefined;
}

const ENV_FILES = ['.env.local', '.env.development', '.env'];

/**
 * The URL under which a route of a file is probably served on this machine, from its code, the file and the script that start
 * the server, and `.env`.
 * @param path the route's path, with its parameters
 */
export async function probableUrl(file: Uri, text: string, path: string): Promise<string> {
  const files = projectFilesOf(file);
  const project = await serverProject(file);
  const script = project?.script?.text ?? '';
  const started = project && fileInScript(script);
  const read = async (name: string) => (await files.read(`${project?.folder ?? ''}/${name}`)) ?? '';
  const { port } = likelyPort({
    sources: [text, ...(started === undefined ? [] : [await read(started)])],
    script,
    envFiles: project === undefined ? [] : await Promise.all(ENV_FILES.map(read)),
  });
  return `http://localhost:${port}${path.startsWith('/') ? path : `/${path}`}`;
}

async function serverProject(file: Uri): Promise<ServerProject | undefined> {
  if (file.scheme !== 'file' && file.scheme !== 'vscode-remote') return undefined;
  const files = projectFilesOf(file);
  const project = await inThread('findProject', file.path, files);
  if (project === undefined) return undefined;
  const { folder } = project;
  const scripts = scriptsOf(await files.read(`${folder}/package.json`));
  const name = ['dev', 'start'].find((one) => typeof scripts[one] === 'string');
  const script = name === undefined ? undefined : { name, text: String(scripts[name]) };
  return { folder, agent: project.agent.split('@')[0] ?? 'npm', script };
}

function scriptsOf(manifest: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Record<string, unknown> };
    return scripts ?? {};
  } catch {
    return {};
  }
}
