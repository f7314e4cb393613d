import type { Logger } from '../server/index.ts';
import { LOG_LEVELS, type LogLevel } from './logLevel.ts';

/** Logs go to stderr: JSON for programs, or lines for people. */
export async function createLogger(json: boolean, level: LogLevel): Promise<Logger> {
  if (json) {
    const { destination, pino } = await import('pino');
    const log = pino({ level, base: null }, destination({ dest: 2, sync: true }));
    return {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
    };
  }
  const from = LOG_LEVELS.indexOf(level);
  const write = (name: LogLevel) => (fields: object, message: string) => {
    if (LOG_LEVELS.indexOf(name) < from) return;
    process.stderr.write(`${clock()} ${name.padEnd(5)} ${message}${words(fields)}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function clock(): string {
  return new Date().toISOString().slice(11, 23);
}

function words(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : text(value)}`)
    .join('');
}

function text(value: unknown): string {
  if (value instanceof Error) return value.message;
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? inner.toString() : inner,
  );
}
