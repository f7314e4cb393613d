import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { isProcessAlive } from '../machine/index.ts';

/** The whole script of `npx svc-x402 …`. A longer one, such as `svc-x402 ledger & npm test`, may leave the service behind on purpose. */
const OWN_SCRIPT = /^(['"]?)svc-x402\1$/;

interface Parent {
  readonly pid: number;
  readonly command: readonly string[];
}

/**
 * Resolves when the `npx` that started this process has ended: npm does not forward a signal that ends it, so `kill` would leave
 * the service running. Never resolves for a process that was started in another way, or put into the background by a shell,
 * `nohup`, `setsid` or a service manager: their parents end on purpose.
 */
export async function launcherEnded(
  environment: NodeJS.ProcessEnv,
  everyMs = 1_000,
): Promise<void> {
  const { npm_lifecycle_event: event = '', npm_lifecycle_script: script = '' } = environment;
  const parent = process.ppid;
  // The editor ends its service by its own leases.
  if (event !== 'npx' || !OWN_SCRIPT.test(script) || environment['SVC_X402_LEASES']) return never();
  const npx = await npxAbove(parent).catch(() => undefined);
  if (npx === undefined) return never();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && isProcessAlive(npx, process.kill)) return;
      clearInterval(timer);
      resolve();
    }, everyMs).unref();
  });
}

/** npm starts the program through a shell, which some shells replace with the program. */
async function npxAbove(parent: number): Promise<number | undefined> {
  const { pid, command } = await parentOf(parent);
  const [shell = '', flag] = command;
  if (!/^(ba|da|z|k|a)?sh$/.test(basename(shell)) || flag !== '-c') return parent;
  // The process that adopts orphans: npx has already ended.
  return pid > 1 ? pid : undefined;
}

/** The parent of a process, and the command of that process. */
async function parentOf(pid: number): Promise<Parent> {
  if (process.platform === 'linux') {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S \d)/);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid: Number(after.split(' ')[1]), command };
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)]);
  const [parent, ...command] = stdout.trim().split(/\s+/);
  return { pid: Number(parent), command };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
