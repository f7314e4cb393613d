import { type ChildProcess, spawn } from 'node:child_process';
import type { ProgramCall } from '../../machine/index.ts';

/** How a process ended. */
export interface ServerEnd {
  /** `undefined` if a signal ended it, or it could not be started. */
  readonly code: number | undefined;
}

/** A server that was started, as far as finding its port goes. */
export interface ServerRun {
  /** The root of its process tree; `undefined` if it is not known. */
  readonly pid: number | undefined;
  /** The end of what it has printed. */
  readonly output: string;
  /** How it ended; `undefined` while it runs. */
  readonly ended: ServerEnd | undefined;
}

/** A server in a process of its own. */
export interface ServerProcess extends ServerRun {
  /** Passes typed text on. */
  write(text: string): void;
  /** Ends the process and its descendants, and resolves when it has ended. */
  stop(): Promise<void>;
}

const MAX_KEPT = 64 * 1024;
/** Milliseconds that a server has to end by itself. */
const PATIENCE_MS = 2_000;
/** Variables of the editor's own process that would change what a Node program does. */
const OF_THE_EDITOR = /^(ELECTRON_|VSCODE_)/;

export interface ServerOptions {
  readonly cwd: string;
  /** Variables in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each piece of output. */
  readonly onOutput: (text: string) => void;
  readonly onEnd: (end: ServerEnd) => void;
}

/** Starts a server, without a shell. */
export function startServerProcess(
  { command, args, windowsVerbatimArguments }: ProgramCall,
  { cwd, variables, onOutput, onEnd }: ServerOptions,
): ServerProcess {
  let output = '';
  let ended: ServerEnd | undefined;
  const child = spawn(command, [...args], {
    cwd,
    env: { ...ownEnvironment(), ...variables },
    windowsHide: true,
    windowsVerbatimArguments,
    // A group of its own, which can be ended with all its descendants.
    detached: process.platform !== 'win32',
  });
  const closed = new Promise<void>((resolve) => {
    const end = (result: ServerEnd) => {
      resolve();
      if (ended !== undefined) return;
      ended = result;
      onEnd(result);
    };
    child.once('error', (error) => {
      print(`${error.message}\n`);
      end({ code: undefined });
    });
    child.once('exit', (code) => {
      // Its last words may still be in the pipe; a descendant may hold the pipe open for ever.
      setTimeout(() => end({ code: code ?? undefined }), 50);
    });
  });
  function print(text: string): void {
    output = (output + text).slice(-MAX_KEPT);
    onOutput(text);
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', print);
  }
  child.stdin.on('error', () => undefined);
  return {
    get pid() {
      return child.pid;
    },
    get output() {
      return output;
    },
    get ended() {
      return ended;
    },
    write: (text) => void child.stdin.write(text),
    async stop() {
      signalTree(child, 'SIGTERM');
      const timer = setTimeout(() => signalTree(child, 'SIGKILL'), PATIENCE_MS);
      await closed;
      clearTimeout(timer);
      // What ignored the first signal and lost its parent.
      signalTree(child, 'SIGKILL');
    },
  };
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_THE_EDITOR.test(name)),
  );
}

function signalTree({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill.exe', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
