import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, type ServiceFile } from '../../machine/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { t } from '../words/index.ts';
import { endProcess } from './endProcess.ts';
import type { LockFile, StartPermit } from './lockFile.ts';
import type { RuntimeChoice } from './nodeRuntime.ts';
import { choosePorts, rememberPorts } from './ports.ts';
import { readRunning } from './readRunning.ts';
import { spawnService } from './spawnService.ts';
import { leasesFolder } from './windowLease.ts';

export interface StartOptions {
  /** Folder shared by all windows. */
  readonly sharedFolder: string;
  readonly dataFolder: string;
  readonly bundle: string;
  readonly transport: HttpTransport;
  readonly runtime: () => Promise<RuntimeChoice>;
  readonly logLevel: () => string;
  /** Facilitator port that the user set; `undefined` keeps the previous one. */
  readonly port: () => number | undefined;
  readonly startWithinMs: number;
  /** Milliseconds that a service has to end by itself before it is killed. */
  readonly endWithinMs: number;
}

/** A failure that a retry does not fix. */
export class CannotStart extends Error {}

const FILE = 'service.log';

export function serviceLogFile(sharedFolder: string): string {
  return join(sharedFolder, FILE);
}

/** The result of a start. */
export interface Started {
  readonly service: ServiceFile;
  /** Its process, if this window started it rather than another one. */
  readonly child: ChildProcess | undefined;
}

/** A service that this window starts. */
interface StartedHere {
  readonly permit: StartPermit;
  readonly child: ChildProcess;
  /** Why it exited; undefined while it is running. */
  ended: string | undefined;
}

/**
 * Waits until a service responds: the running one, one that another window starts, or one that this window starts once it has
 * the permission.
 * @param wanted whether the start has not been cancelled
 * @throws CannotStart if no runtime can run it
 */
export async function startOrAttach(
  options: StartOptions,
  lockFile: LockFile,
  wanted: () => boolean,
): Promise<Started> {
  const { dataFolder, transport, startWithinMs } = options;
  makeFolder(dataFolder);
  const deadline = Date.now() + startWithinMs;
  let started: StartedHere | undefined;
  try {
    for (;;) {
      if (!wanted()) throw new Error(t('The start was cancelled.'));
      const service = await readRunning(dataFolder, transport);
      if (service) {
        if (started) {
          const port = portOf(service.facilitatorUrl);
          await started.permit.note({ pid: service.pid, port });
          const ports = { facilitator: port, network: portOf(service.network.rpcUrl) };
          await rememberPorts(dataFolder, ports);
        }
        return { service, child: started?.child };
      }
      if (started?.ended !== undefined) throw new Error(started.ended);
      if (Date.now() > deadline) {
        throw new Error(t('The service did not respond within {0} seconds.', startWithinMs / 1000));
      }
      started ??= await startHere(options, lockFile);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    if (started) {
      // Nobody else knows this process, and it would keep the data folder from the next one.
      if (isRunning(started.child)) await endProcess(started.child.pid, options.endWithinMs);
      await lockFile.forget(started.permit.token);
    }
    throw error;
  } finally {
    started?.permit.giveUp();
  }
}

/** Starts the service in this window, unless another window is starting it or has just done so. */
async function startHere(
  options: StartOptions,
  lockFile: LockFile,
): Promise<StartedHere | undefined> {
  const permit = await lockFile.take();
  if (permit === undefined) return undefined;
  try {
    // A window that had the permission before might have started a service by now.
    if (await readRunning(options.dataFolder, options.transport)) {
      permit.giveUp();
      return undefined;
    }
    return await spawnUnder(options, permit);
  } catch (error) {
    await lockFile.forget(permit.token);
    permit.giveUp();
    throw error;
  }
}

async function spawnUnder(options: StartOptions, permit: StartPermit): Promise<StartedHere> {
  const { sharedFolder, dataFolder, bundle } = options;
  const choice = await options.runtime();
  if (!choice.ok) throw new CannotStart(choice.message);
  await permit.note({ pid: process.pid, port: 0 });
  const child = spawnService({
    runtime: choice.runtime,
    bundle,
    dataFolder,
    leases: leasesFolder(sharedFolder),
    token: permit.token,
    logFile: serviceLogFile(sharedFolder),
    logLevel: options.logLevel(),
    ports: await choosePorts(dataFolder, options.port()),
  });
  const started: StartedHere = { permit, child, ended: undefined };
  child.once('error', (error) => {
    started.ended = t('The service could not be started: {0}', error.message);
  });
  child.once('exit', (code) => {
    void lastWords(sharedFolder).then((words) => {
      const how = code ?? t('a signal');
      started.ended =
        words === ''
          ? t('The service exited with {0}.', how)
          : t('The service exited with {0}: {1}', how, words);
    });
  });
  return started;
}

/** Whether the system has not reported the end of this child yet: until then its pid means no other process. */
export function isRunning(child: ChildProcess): child is ChildProcess & { readonly pid: number } {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function portOf(url: string | null): number {
  return Number(new URL(url ?? '').port);
}

/** Returns the last line of an exited service's output that is not part of a stack trace. */
async function lastWords(sharedFolder: string): Promise<string> {
  const text = await readFile(serviceLogFile(sharedFolder), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => !/^\s*(at |$)/.test(line));
  return lines.at(-1)?.trim().slice(0, 300) ?? '';
}
