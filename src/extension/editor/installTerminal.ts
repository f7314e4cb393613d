import { type ChildProcess, spawn } from 'node:child_process';
import {
  CustomExecution,
  EventEmitter,
  type Pseudoterminal,
  Task,
  TaskRevealKind,
  TaskScope,
  tasks,
  type Uri,
  workspace,
} from 'vscode';
import type { InstallPlan } from '../../codegen/index.ts';
import { findProgram } from '../../machine/index.ts';
import { t } from '../words/index.ts';

/** How an install ended. */
export interface InstallResult {
  /** `undefined` if it did not start or was stopped. */
  readonly code: number | undefined;
  /** The end of its output. */
  readonly output: string;
}

const KEPT = 64 * 1024;
const INTERRUPT = '\u0003';

/** Runs an install as a task in a visible terminal, and keeps its output. */
export async function runInTerminal(document: Uri, plan: InstallPlan): Promise<InstallResult> {
  const cwd = document.with({ path: plan.folder }).fsPath;
  return new Promise((resolve) => {
    const task = new Task(
      { type: 'svc-x402' },
      workspace.getWorkspaceFolder(document) ?? TaskScope.Workspace,
      t('install x402 packages'),
      'Svc',
      new CustomExecution(async () => installTerminal(plan, cwd, resolve)),
    );
    task.presentationOptions = { reveal: TaskRevealKind.Always, focus: false };
    tasks.executeTask(task).then(undefined, () => resolve({ code: undefined, output: '' }));
  });
}

function installTerminal(
  plan: InstallPlan,
  cwd: string,
  ended: (result: InstallResult) => void,
): Pseudoterminal {
  const written = new EventEmitter<string>();
  const closed = new EventEmitter<number>();
  let child: ChildProcess | undefined;
  let output = '';
  const write = (text: string) => {
    output = (output + text).slice(-KEPT);
    written.fire(text.replace(/\r?\n/g, '\r\n'));
  };
  const finish = (code: number | undefined) => {
    closed.fire(code ?? 1);
    ended({ code, output });
  };
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      write(`> ${plan.line}\n`);
      const program = findProgram(plan.command, cwd);
      if (!program) {
        write(t('{0} was not found on this machine.\n', plan.command));
        finish(undefined);
        return;
      }
      const { command, args, windowsVerbatimArguments } = program(plan.args);
      child = spawn(command, [...args], {
        cwd,
        // The package manager's child processes must not start the project's programs either.
        env: { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' },
        windowsHide: true,
        windowsVerbatimArguments,
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => write(text));
      }
      child.once('error', (error) => {
        write(`${error.message}\n`);
        finish(undefined);
      });
      child.once('close', (code) => finish(code ?? undefined));
    },
    close: () => child?.kill(),
    handleInput(text) {
      if (text === INTERRUPT) child?.kill('SIGINT');
    },
  };
}
