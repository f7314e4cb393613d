import type { LogOutputChannel } from 'vscode';
import type { ServiceEntry } from '../activity/index.ts';

/** Levels as pino numbers them. */
const LEVELS = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
  [20, 'debug'],
] as const;

/**
 * Writes a line of the service's log at its own level; the channel's level decides what is shown.
 * @param entry the parsed line; `undefined` for any other output
 */
export function logServiceLine(
  log: LogOutputChannel,
  line: string,
  entry: ServiceEntry | undefined,
): void {
  if (entry === undefined) {
    log.info(`service: ${line}`);
    return;
  }
  const { level, time: _time, msg, event, ...fields } = entry;
  const words = msg ?? (typeof event === 'string' ? event : 'log');
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  const name = LEVELS.find(([least]) => level !== undefined && level >= least)?.[1];
  log[name ?? 'info'](`service: ${words}${rest}`);
}
