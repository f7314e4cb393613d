/**
 * Whether a process with this id runs on this machine.
 * @param signal `process.kill`: signal 0 asks only whether the process is there
 */
export function isProcessAlive(pid: number, signal: (pid: number, signal: 0) => unknown): boolean {
  try {
    signal(pid, 0);
    return true;
  } catch (error) {
    // It is there, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
