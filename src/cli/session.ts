import { stdout } from 'node:process';
import type { Logger } from '../server/index.ts';
import { CliError } from './cliError.ts';
import { Closers } from './closers.ts';
import type { CommonOptions } from './commandOptions.ts';
import { openDataFolder } from './dataFolder.ts';
import { leasesEnded } from './leases.ts';
import { createLogger } from './log.ts';
import { createReport, type Report } from './report.ts';
import { runningService } from './serviceFile.ts';
import { stopSignal } from './stopSignal.ts';

export interface Session {
  readonly folder: string;
  readonly logger: Logger;
  readonly report: Report;
  readonly closers: Closers;
  /** Resolves when the user asks to stop, or the editor that it was started for is gone. */
  readonly stopped: Promise<void>;
}

/**
 * Runs one command that serves: opens the data folder, and closes at the end, whatever happens,
 * all that the command opened.
 */
export async function inSession(
  options: CommonOptions,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const { json = false, logLevel = json ? 'info' : 'warn' } = options;
  const closers = new Closers();
  const session: Session = {
    folder: await openDataFolder(options.dataDir),
    logger: await createLogger(json, logLevel),
    report: createReport(json, (text) => stdout.write(text)),
    closers,
    stopped: Promise.race([stopSignal(), leasesEnded(process.env['SVC_X402_LEASES'])]),
  };
  try {
    await run(session);
  } finally {
    await closers.closeAll();
  }
}

/** @throws CliError when another service runs with this data folder: both would write its ledger */
export async function requireFolderFree({ folder }: Session): Promise<void> {
  const other = await runningService(folder);
  if (!other) return;
  const address = other.facilitatorUrl ?? other.network.rpcUrl;
  throw new CliError(
    'usage',
    `A service already runs with ${folder}: process ${other.pid}, ${address}. ` +
      'Stop it, or name another folder with --data-dir.',
  );
}
