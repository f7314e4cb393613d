import type { Logger } from '../server/index.ts';
import { CliError } from './cliError.ts';

/** Time to finish and close what was handed over. `/settle` answers within 25 seconds. */
const FINISH_WITHIN_MS = 40_000;

/** Exit status of a process that an error ended which nothing handled (EX_SOFTWARE of sysexits.h). */
export const FAULT_STATUS = 70;

/** The one place of a process for errors that nothing handled. */
export interface FaultBoundary {
  /** Resolves at the first such error: the process stops taking work. Never rejects. */
  readonly occurred: Promise<void>;
  /** @throws CliError `fault` when there was one */
  rethrow(): void;
}

/**
 * Logs errors that nothing handled and asks the command to finish. After such an error nobody vouches for the state that
 * the process runs on, so it ends, but only when the settlements it handed over are finished.
 */
export function openFaultBoundary(logger: Logger): FaultBoundary {
  let first: unknown;
  let happened = false;
  const occurred = new Promise<void>((resolve) => {
    const onFault = (error: unknown): void => {
      logger.error(
        { stack: error instanceof Error ? error.stack : String(error) },
        happened ? 'unhandled error while closing' : 'unhandled error; finishing, then closing',
      );
      if (happened) return;
      happened = true;
      first = error;
      setTimeout(() => {
        logger.error({}, 'closing takes too long; the process ends now');
        process.exit(FAULT_STATUS);
      }, FINISH_WITHIN_MS).unref();
      resolve();
    };
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
  });
  return {
    occurred,
    rethrow() {
      if (!happened) return;
      const what = first instanceof Error ? `${first.name}: ${first.message}` : String(first);
      throw new CliError('fault', `An unhandled error ended the service (${what}).`, {
        cause: first,
      });
    },
  };
}
