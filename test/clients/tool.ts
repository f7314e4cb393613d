import { spawn } from 'node:child_process';

/** How a program ended, and what it printed. */
export interface ToolRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs another program to its end, which is at the latest after `seconds`. */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; seconds: number },
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.seconds * 1_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', (error) => resolve({ code: null, stdout, stderr: error.message }));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A program that prepares a suite failed, so the suite cannot run. */
export class PreparationError extends Error {
  override readonly name = 'PreparationError';
}

/** Runs a program that a suite needs before it starts. @throws PreparationError with what it printed if it fails */
export async function needTool(...call: Parameters<typeof runTool>): Promise<ToolRun> {
  const run = await runTool(...call);
  if (run.code === 0) return run;
  const words = `${run.stderr}\n${run.stdout}`.trim().split('\n').slice(-3).join(' ');
  throw new PreparationError(`${call[0]} ended with ${run.code ?? 'no status'}: ${words}`);
}
