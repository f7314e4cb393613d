/**
 * Whether a process with this id runs on this machine.
 * @param signal `process.kill`: signal 0 only checks whether the process exists
 */
export function isProcessAlive(pid: number, signal: (pid: number, signal: 0) => unknown): boolean {
  try {
    signal(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
