/**
 * Code about this machine rather than x402 or Stellar: where files are stored, which process holds them,
 * which processes are running, and which names mean this host.
 */
export * from './agentName.ts';
export * from './dataFolder.ts';
export * from './ed25519Key.ts';
export { FileLock } from './lock/fileLock.ts';
export { LockError } from './lock/lockError.ts';
export * from './loopbackHost.ts';
export * from './makeFolder.ts';
export * from './processAlive.ts';
export * from './program/index.ts';
export * from './readBody.ts';
export * from './serviceFile.ts';
export * from './sha256.ts';
export * from './startThread.ts';
