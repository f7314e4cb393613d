import {
  type DebugConfiguration,
  debug,
  extensions,
  type Terminal,
  TerminalLocation,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { HttpTransport } from '../../../sdk/exact/index.ts';
import { TestFailure } from '../../request/index.ts';
import { t } from '../../words/index.ts';
import { projectFilesOf } from '../projectFiles.ts';

const NAME = 'x402 server';
const LONGEST_MS = 60_000;
const LOOK_EVERY_MS = 300;

/** Where a server is started. */
export type StartIn = 'terminal' | 'debugger';

/**
 * Starts the project's server in a terminal or a debugger, where the user can see and stop it, and waits until it responds. A
 * server that already responds is left alone, and one that is being debugged is awaited.
 * @param file a file of the project
 * @throws TestFailure if it does not respond in time
 */
export async function startServer(
  file: Uri | undefined,
  url: string,
  transport: HttpTransport,
  signal: AbortSignal,
  startIn: StartIn,
): Promise<void> {
  if (await answers(url, transport, signal)) return;
  const command = file && (await startCommand(file));
  if (file === undefined || command === undefined) {
    throw new TestFailure(
      'endpoint_down',
      t('package.json has no dev or start script: start your server in a terminal'),
    );
  }
  const ended =
    debug.activeDebugSession !== undefined ||
    (startIn === 'debugger' && (await startDebugging(file, command)))
      ? () => debug.activeDebugSession === undefined
      : startInTerminal(file, command);
  const deadline = Date.now() + LONGEST_MS;
  while (!(await answers(url, transport, signal))) {
    if (signal.aborted) throw new TestFailure('cancelled');
    if (ended() || Date.now() > deadline) {
      throw new TestFailure('endpoint_down', t('{0} did not serve {1}', command.line, url));
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

interface StartCommand {
  readonly folder: string;
  readonly line: string;
}

/** @returns whether it has ended */
function startInTerminal(file: Uri, { folder, line }: StartCommand): () => boolean {
  const terminal = openTerminal(file, folder);
  terminal.show(true);
  terminal.sendText(line);
  return () => terminal.exitStatus !== undefined;
}

const JAVASCRIPT_DEBUGGER = 'ms-vscode.js-debug';

/**
 * Starts the first Node configuration of the folder's launch.json, or else the start script. @returns false without a debugger
 */
async function startDebugging(file: Uri, { folder, line }: StartCommand): Promise<boolean> {
  if (extensions.getExtension(JAVASCRIPT_DEBUGGER) === undefined) return false;
  const own = workspace
    .getConfiguration('launch', file)
    .get<readonly DebugConfiguration[]>('configurations', [])
    .find(
      ({ type, request }) => request === 'launch' && /^(pwa-)?node$|^node-terminal$/.test(type),
    );
  const start = {
    type: 'node-terminal',
    request: 'launch',
    name: NAME,
    command: line,
    cwd: folder,
  };
  return debug.startDebugging(workspace.getWorkspaceFolder(file), own ?? start);
}

function openTerminal(file: Uri, folder: string): Terminal {
  const open = window.terminals.find(
    ({ name, exitStatus }) => name === NAME && exitStatus === undefined,
  );
  if (open !== undefined) {
    // The server that does not respond is running in it.
    open.dispose();
  }
  return window.createTerminal({
    name: NAME,
    cwd: file.with({ path: folder }),
    location: TerminalLocation.Panel,
  });
}

/** The script that starts the project: `dev` if there is one, else `start`. */
async function startCommand(file: Uri): Promise<StartCommand | undefined> {
  if (file.scheme !== 'file' && file.scheme !== 'vscode-remote') return undefined;
  const { findProject } = await import('../../../codegen/index.ts');
  const files = projectFilesOf(file);
  const project = await findProject(file.path, files);
  if (project === undefined) return undefined;
  const manifest = await files.read(`${project.folder}/package.json`);
  const script = ['dev', 'start'].find((name) => hasScript(manifest, name));
  const agent = project.agent.split('@')[0] ?? 'npm';
  if (script !== undefined) return { folder: project.folder, line: `${agent} run ${script}` };
  const name = file.path.slice(project.folder.length + 1);
  const plain = /^[\w./-]+\.[cm]?js$/.test(name) && !name.startsWith('-');
  return plain ? { folder: project.folder, line: `node ${name}` } : undefined;
}

function hasScript(manifest: string | undefined, name: string): boolean {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Record<string, unknown> };
    return typeof scripts?.[name] === 'string';
  } catch {
    return false;
  }
}

async function answers(
  url: string,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await transport({ method: 'HEAD', url: new URL('/', url).href, signal });
    return true;
  } catch {
    return false;
  }
}
