import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../machine/index.ts';
import type { NodeRuntime } from './nodeRuntime.ts';
import type { ServicePorts } from './ports.ts';

export interface SpawnOptions {
  readonly runtime: NodeRuntime;
  /** The bundle `dist/server.js`. */
  readonly bundle: string;
  readonly dataFolder: string;
  readonly leases: string;
  readonly token: string;
  readonly logFile: string;
  readonly logLevel: string;
  readonly ports: ServicePorts;
}

/** Variables of this process's environment that the service needs; nothing else is passed on. */
const INHERITED = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LANG'];

/**
 * Variables that the service gets in addition. glibc raises its threshold for returning freed memory to the system while a
 * program runs, unless it is set; the service then keeps about 12 MB more after its start. Other C libraries ignore it.
 */
export const SERVICE_VARIABLES = { MALLOC_TRIM_THRESHOLD_: '131072' } as const;

/** Starts the service. It outlives this window while another one uses it. */
export function spawnService(options: SpawnOptions): ChildProcess {
  const { runtime, bundle, dataFolder, leases, token, logFile, logLevel, ports } = options;
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'w', 0o600);
  try {
    const child = spawn(
      runtime.command,
      [
        ...[bundle, '--data-dir', dataFolder, '--json', '--log-level', logLevel],
        ...['--facilitator-port', String(ports.facilitator)],
        ...['--ledger-port', String(ports.network)],
      ],
      {
        detached: true,
        stdio: ['ignore', log, log],
        windowsHide: true,
        env: {
          ...inherited(),
          ...SERVICE_VARIABLES,
          ...runtime.environment,
          SVC_X402_LEASES: leases,
          SVC_X402_TOKEN: token,
        },
      },
    );
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** The variables of this process that child processes receive. */
export function inherited(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
