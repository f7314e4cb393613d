/**
 * Code about this machine rather than x402 or Stellar: where files are stored, which process holds them,
 * which processes are running, and which names mean this host.
 */

export * from '../../common/machine/ed25519Key.ts';
export { FileLock } from '../../common/machine/lock/fileLock.ts';
export { LockError } from '../../common/machine/lock/lockError.ts';
export * from '../../common/machine/loopbackHost.ts';
export * from '../../common/machine/makeFolder.ts';
export * from '../../common/machine/processAlive.ts';
export * from '../../common/machine/readBody.ts';
export * from '../../common/machine/sha256.ts';
export * from '../../common/machine/startThread.ts';
export * from './agentName.ts';
export * from './dataFolder.ts';
export * from './program/index.ts';
export * from './serviceFile.ts';
