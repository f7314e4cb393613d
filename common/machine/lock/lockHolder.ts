import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessAlive } from '../processAlive.ts';

/** The process that holds a lock, described by itself in the lock's mark. */
export interface LockHolder {
  readonly pid: number;
  /** Name of the machine or container, for the message to a process that is refused the lock. */
  readonly host: string;
  /** Boot of the machine and PID namespace, within which a pid means one process; '' if the system does not report them. */
  readonly pidSpace: string;
  /** Start time of the process in ticks since boot, which differs for a later process with the same pid. '' if unknown. */
  readonly start: string;
}

/** What is known about a holder without waiting: `unknown` if only its heartbeat can show whether it is alive. */
export type HolderState = 'alive' | 'dead' | 'unknown';

/** Describes this process. */
export function thisHolder(): LockHolder {
  return {
    pid: process.pid,
    host: hostname(),
    pidSpace: pidSpace(),
    start: startOf(process.pid),
  };
}

/**
 * Checks a holder against what this kernel can prove. A pid means something only on the same boot and in the same PID
 * namespace: in another container the same number is another process. Systems without `/proc` cannot detect a reused pid, so
 * they prove nothing here.
 */
export function holderState(holder: LockHolder): HolderState {
  const mine = pidSpace();
  if (mine === '' || holder.pidSpace !== mine || holder.start === '') return 'unknown';
  if (!isProcessAlive(holder.pid, process.kill)) return 'dead';
  const start = startOf(holder.pid);
  if (start === '') return 'unknown';
  return start === holder.start ? 'alive' : 'dead';
}

/** Reads a holder from a mark's fields; `undefined` if they don't describe one. */
export function parseHolder(value: unknown): LockHolder | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host, pidSpace: space, start } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof host !== 'string' || typeof space !== 'string' || typeof start !== 'string') {
    return undefined;
  }
  return { pid, host, pidSpace: space, start };
}

/** Describes a holder, for the message to a process that is refused the lock. */
export function describeHolder(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'another process';
  const { pid, host } = holder;
  if (holder.pidSpace !== '' && holder.pidSpace === pidSpace()) return `process ${pid}`;
  return host === hostname()
    ? `process ${pid} (of this machine, or of another container)`
    : `process ${pid} of «${host}», another container or machine`;
}

function pidSpace(): string {
  try {
    // In a `/proc` of another namespace, pids are those of that namespace and prove nothing here.
    if (readlinkSync('/proc/self') !== String(process.pid)) return '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const space = readlinkSync('/proc/self/ns/pid');
    return boot === '' || space === '' ? '' : `${boot} ${space}`;
  } catch {
    return '';
  }
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so counting starts after it: this is the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
