import { stdout } from 'node:process';
import type { Logger } from '../server/index.ts';
import { CliError } from './cliError.ts';
import { Closers } from './closers.ts';
import type { CommonOptions } from './commandOptions.ts';
import { openDataFolder } from './dataFolder.ts';
import { openFaultBoundary } from './faultBoundary.ts';
import { launcherEnded } from './launcher.ts';
import { leasesEnded } from './leases.ts';
import { createLogger } from './log.ts';
import { createReport, type Report } from './report.ts';
import { keepRestarting } from './restart.ts';
import { runningService } from './serviceFile.ts';
import { stopSignal } from './stopSignal.ts';

export interface Session {
  readonly folder: string;
  readonly logger: Logger;
  readonly report: Report;
  readonly closers: Closers;
  /**
   * Resolves when the user asks to stop, the editor or `npx` that started the service has ended, or a fault occurred.
   */
  readonly stopped: Promise<void>;
  /** Ends the command with an error: `stopped` rejects. */
  readonly fail: (error: unknown) => void;
}

interface SessionOptions {
  /** Whether the command is restarted after an unhandled error. */
  readonly restart?: boolean;
  /** Additional arguments for the restarted command. */
  readonly restartArguments?: readonly string[];
}

/**
 * Runs one command that serves: opens the data folder, and at the end always closes everything that
 * the command opened. An unhandled error ends it the same way, and restarts it if the command has `restart`.
 */
export async function inSession(
  options: CommonOptions & SessionOptions,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const { json = false, logLevel = json ? 'info' : 'warn' } = options;
  const closers = new Closers();
  const logger = await createLogger(json, logLevel);
  const boundary = openFaultBoundary(logger);
  let fail: Session['fail'] = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const session: Session = {
    fail,
    folder: await openDataFolder(options.dataDir),
    logger,
    report: createReport(json, (text) => stdout.write(text)),
    closers,
    stopped: Promise.race([
      stopSignal(),
      leasesEnded(process.env['SVC_X402_LEASES']),
      launcherEnded(process.env),
      boundary.occurred,
      failed,
    ]),
  };
  try {
    await run(session);
  } finally {
    await closers.closeAll();
  }
  try {
    boundary.rethrow();
  } catch (error) {
    if (!options.restart) throw error;
    const say = (text: string) => session.report.say(text, 'restarting', {});
    process.exitCode = await keepRestarting(options.restartArguments ?? [], say);
  }
}

/** @throws CliError if another service runs with this data folder, because both would write to its ledger */
export async function requireFolderFree({ folder }: Session): Promise<void> {
  const other = await runningService(folder);
  if (!other) return;
  const address = other.facilitatorUrl ?? other.network.rpcUrl;
  throw new CliError(
    'usage',
    `A service is already running with ${folder}: process ${other.pid}, ${address}. ` +
      'Stop it, or name another folder with --data-dir.',
  );
}
