import type { LogOutputChannel } from 'vscode';

/** Levels as pino numbers them. */
const LEVELS = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
  [20, 'debug'],
] as const;

/** Writes a line of the service's log at its own level; the channel's level decides what shows. */
export function logServiceLine(log: LogOutputChannel, line: string): void {
  const entry = parse(line);
  if (entry === undefined) {
    log.info(`service: ${line}`);
    return;
  }
  const { level, time: _time, msg, event, ...fields } = entry;
  const words = typeof msg === 'string' ? msg : typeof event === 'string' ? event : 'log';
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  const name = LEVELS.find(([least]) => typeof level === 'number' && level >= least)?.[1];
  log[name ?? 'info'](`service: ${words}${rest}`);
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
