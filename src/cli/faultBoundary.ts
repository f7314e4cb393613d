import type { Logger } from '../server/index.ts';
import { CliError } from './cliError.ts';

/** Time to finish submitted settlements and close. `/settle` answers within 25 seconds. */
const FINISH_WITHIN_MS = 40_000;

/** Exit status after an unhandled error (EX_SOFTWARE of sysexits.h). */
export const FAULT_STATUS = 70;

/** Handles all otherwise unhandled errors of a process. */
export interface FaultBoundary {
  /** Resolves at the first such error, when the process stops accepting work. Never rejects. */
  readonly occurred: Promise<void>;
  /** @throws CliError `fault` if there was one */
  rethrow(): void;
}

/**
 * Logs unhandled errors and asks the command to finish. After such an error the process's state cannot be trusted, so the
 * process ends, but only after its submitted settlements are finished.
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
        logger.error({}, 'closing took too long; ending the process');
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
