import { readFileSync } from 'node:fs';

const KILOBYTE = 1_024;

/** Resident memory of a process in megabytes (1,000,000 bytes); nothing if it isn't running. */
export function residentMegabytes(pid: number | undefined): number | undefined {
  return kilobytes(pid, 'status', /^VmRSS:\s+(\d+)/m);
}

/**
 * Memory of a process and its children in megabytes, what they share counted once: PostgreSQL's
 * processes share most of theirs.
 */
export function treeMegabytes(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  const own = kilobytes(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m);
  if (own === undefined) return undefined;
  return childrenOf(pid).reduce((sum, child) => sum + (treeMegabytes(child) ?? 0), own);
}

function childrenOf(pid: number): number[] {
  const told = read(`/proc/${pid}/task/${pid}/children`) ?? '';
  return told.split(' ').filter(Boolean).map(Number);
}

function kilobytes(pid: number | undefined, file: string, pattern: RegExp): number | undefined {
  const [, found] = pattern.exec(read(`/proc/${pid}/${file}`) ?? '') ?? [];
  return found === undefined ? undefined : (Number(found) * KILOBYTE) / 1e6;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
