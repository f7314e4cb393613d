import { CommanderError } from 'commander';
import type { Service } from './commandOptions.ts';
import { FAULT_STATUS } from './faultBoundary.ts';
import { packageRoot } from './packageRoot.ts';
import { createProgram, type RunMcp } from './program.ts';

/** Exit status for a mistake in options or environment. */
const USAGE = 2;
const FAILED = 1;

/** Codes of failures that can be fixed with other options, another folder or another environment. */
const USAGE_CODES: ReadonlySet<unknown> = new Set([
  'usage',
  'invalid_configuration',
  'OTHER_NETWORK',
  'FOLDER_IN_USE',
]);

/**
 * Runs the command line and sets the exit status: 0, 1 for a failure, 2 for a mistake in options or
 * environment, 70 for an unhandled error. Failures are printed as sentences on stderr.
 */
export async function runCli(
  args: readonly string[],
  load: () => Promise<Service>,
  loadMcp: () => Promise<RunMcp>,
): Promise<void> {
  // A reader such as `head` may close the pipe early, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // MCP ends by itself, once no payment is under way.
    if (args[0] !== 'mcp') process.exit(0);
  });
  try {
    await createProgram(packageRoot().version, load, loadMcp).parseAsync([...args], {
      from: 'user',
    });
  } catch (error) {
    process.exitCode = exitStatus(error);
    // Commander has already printed its own errors.
    if (!(error instanceof CommanderError)) process.stderr.write(`${sentence(error)}\n`);
  }
  // Everything is closed by now, and anything left must not keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref();
}

function exitStatus(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (codeOf(error) === 'fault') return FAULT_STATUS;
  return USAGE_CODES.has(codeOf(error)) ? USAGE : FAILED;
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  // Our own failures have a code and a message for people. For other errors, the stack is the best information available.
  return codeOf(error) === undefined ? (error.stack ?? error.message) : error.message;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
