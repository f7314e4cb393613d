import {
  type DebugConfiguration,
  type Disposable,
  debug,
  EventEmitter,
  extensions,
  type Terminal,
  TerminalLocation,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { findProgram } from '../../../machine/index.ts';
import type { HttpTransport } from '../../../sdk/exact/index.ts';
import { TestFailure } from '../../request/index.ts';
import {
  missingPackages,
  packagesInCode,
  type ServerFound,
  type ServerProcess,
  type ServerRun,
} from '../../server/index.ts';
import type { Variables } from '../../settings/index.ts';
import { t } from '../../words/index.ts';
import { type StartCommand, startCommand } from './startCommand.ts';

const NAME = 'x402 server';
const WITHIN_MS = 60_000;
const INTERRUPT = '\u0003';

/** Where a server is started. */
export type StartIn = 'terminal' | 'debugger';

/** What is to be started, and for which request. */
export interface StartRequest {
  /** A file of the project. */
  readonly file: Uri | undefined;
  readonly url: string;
  readonly transport: HttpTransport;
  readonly signal: AbortSignal;
  readonly startIn: StartIn;
}

/** Starts the project's server where the user can see and stop it. One runs at a time. */
export class ServerStarter implements Disposable {
  readonly #variables: () => Promise<Variables>;
  #server: ServerProcess | undefined;
  #terminal: Terminal | undefined;

  /** @param variables what a server gets in addition to the editor's own variables */
  constructor(variables: () => Promise<Variables>) {
    this.#variables = variables;
  }

  /**
   * Starts the server and waits until it responds. A server that already responds is left alone, and one that is being debugged
   * is awaited.
   * @returns the URL with the port that the server opened
   * @throws TestFailure with the reason if it does not come to that
   */
  async start({ file, url, transport, signal, startIn }: StartRequest): Promise<string> {
    const answers = (at: string) => isAnswered(at, transport, signal);
    if (await answers(url)) return url;
    const command = file && (await startCommand(file));
    if (file === undefined || command === undefined) throw new TestFailure('no_start_script');
    await requirePackages(file);
    const isDebugged =
      debug.activeDebugSession !== undefined ||
      (startIn === 'debugger' && (await startDebugging(file, command)));
    const run = isDebugged ? debuggedRun() : await this.#startInTerminal(file, command);
    const { whereServed } = await import('../../server/index.ts');
    const found = await whereServed({
      url,
      run,
      signal,
      answers,
      withinMs: WITHIN_MS,
      choosePort: (ports) => choosePort(ports, url),
    });
    return urlOf(found, command.line);
  }

  dispose(): void {
    void this.#server?.stop();
    this.#terminal?.dispose();
  }

  async #startInTerminal(file: Uri, command: StartCommand): Promise<ServerRun> {
    await this.#server?.stop();
    this.#terminal?.dispose();
    const cwd = file.with({ path: command.folder }).fsPath;
    const program = findProgram(command.command, cwd);
    if (program === undefined) {
      throw new TestFailure(
        'server_ended',
        t('{0} was not found on this machine.', command.command),
      );
    }
    const variables = await this.#variables();
    const written = new EventEmitter<string>();
    const show = (text: string) => written.fire(text.replace(/\r?\n/g, '\r\n'));
    const early: string[] = [`> ${command.line}\n`];
    let isOpen = false;
    const { startServerProcess } = await import('../../server/index.ts');
    const server = startServerProcess(program(command.args), {
      cwd,
      variables,
      onOutput: (text) => {
        // A terminal drops what is written before it is open.
        if (isOpen) show(text);
        else early.push(text);
      },
      onEnd: ({ code }) => show(t('\nThe server ended ({0}).\n', code ?? t('a signal'))),
    });
    this.#server = server;
    this.#terminal = window.createTerminal({
      name: NAME,
      location: TerminalLocation.Panel,
      pty: {
        onDidWrite: written.event,
        open() {
          isOpen = true;
          for (const text of early) show(text);
        },
        close: () => void server.stop(),
        handleInput(text: string) {
          if (text === INTERRUPT) void server.stop();
          else server.write(text.replace(/\r/g, '\n'));
        },
      },
    });
    this.#terminal.show(true);
    return server;
  }
}

/** Fails before a start that cannot succeed. */
async function requirePackages(file: Uri): Promise<void> {
  if (file.scheme !== 'file') return;
  const document = await workspace.openTextDocument(file);
  const missing = await missingPackages(file.fsPath, packagesInCode(document.getText()));
  if (missing.length > 0) throw new TestFailure('packages_missing', missing.join(', '));
}

function urlOf(found: ServerFound, line: string): string {
  switch (found.kind) {
    case 'served':
      return found.url;
    case 'ended':
      if (found.missing.length > 0) {
        throw new TestFailure('packages_missing', found.missing.join(', '));
      }
      throw new TestFailure(
        'server_ended',
        `${t('{0} ended with {1}.', line, found.code ?? t('a signal'))}\n${found.said}`,
      );
    case 'silent':
      throw new TestFailure('server_silent', found.said);
    case 'cancelled':
      throw new TestFailure('cancelled');
  }
}

async function choosePort(ports: readonly number[], url: string): Promise<number | undefined> {
  const items = ports.map((port) => ({ label: String(port), port }));
  const choice = await window.showQuickPick(items, {
    title: t('Your server opened several ports'),
    placeHolder: t('Which one serves {0}?', new URL(url).pathname),
    ignoreFocusOut: true,
  });
  return choice?.port;
}

/** A server in a debugger: what it prints is in the debug console, and the session ends with it. */
function debuggedRun(): ServerRun {
  let output = '';
  let pid: number | undefined;
  const tracker = debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: () => ({
      onDidSendMessage(message: unknown) {
        const { event, body } = message as {
          event?: unknown;
          body?: { output?: unknown; systemProcessId?: unknown };
        };
        if (event === 'output' && typeof body?.output === 'string') output += body.output;
        if (event === 'process' && typeof body?.systemProcessId === 'number') {
          pid = body.systemProcessId;
        }
      },
    }),
  });
  const isEnded = () => {
    const ended = debug.activeDebugSession === undefined;
    if (ended) tracker.dispose();
    return ended;
  };
  return {
    get pid() {
      return pid;
    },
    get output() {
      return output;
    },
    get ended() {
      return isEnded() ? { code: undefined } : undefined;
    },
  };
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

async function isAnswered(
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
