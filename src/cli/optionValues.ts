import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** Port of the embedded network, as in Stellar Quickstart. */
export const DEFAULT_LEDGER_PORT = 8000;

/** Where the proxy listens by default. */
export const DEFAULT_PROXY_PORT = 4402;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** A TCP port; 0 takes any free one. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}

export type CloseOption =
  | { readonly kind: 'demand' }
  | { readonly kind: 'interval'; readonly milliseconds: number };

/** When ledgers close: as soon as a transaction waits, or at an interval. */
export function parseClose(text: string): CloseOption {
  if (text === 'demand') return { kind: 'demand' };
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (milliseconds >= 10 && milliseconds <= 3_600_000) return { kind: 'interval', milliseconds };
  throw new InvalidArgumentError(
    'Use demand, or a time between ledgers such as 5s or 500ms (10ms to 60m).',
  );
}

/** A string that must not be empty. */
export function parseText(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** A protocol that the embedded network can run. */
export function parseProtocol(text: string): 27 | 28 {
  if (text === '27') return 27;
  if (text === '28') return 28;
  throw new InvalidArgumentError('Choose 27 or 28.');
}

/** A percentage, which may have decimal places. */
export function parsePercent(text: string): number {
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a percentage such as 5 or 0.5.');
}

/** The sequence of a ledger. */
export function parseLedger(text: string): number {
  const ledger = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (ledger > 0 && ledger < 2 ** 32) return ledger;
  throw new InvalidArgumentError('A ledger is a whole number, at least 1.');
}

/** A number of payments. */
export function parseCount(text: string): number {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (count > 0 && count < 2 ** 32) return count;
  throw new InvalidArgumentError('A number of payments is a whole number, at least 1.');
}

/** The time within which a call is answered. */
export function parseSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('Use a whole number of seconds, from 1 to 9999.');
}

/** A URL of http or https. */
export function parseUrl(text: string): string {
  if (/^https?:\/\/[^\s/]+/.test(text)) return text;
  throw new InvalidArgumentError('Use a URL that starts with http:// or https://.');
}

/** An IP address of this machine. */
export function parseAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new InvalidArgumentError('Use an IP address of this machine, or 0.0.0.0 or :: for all.');
}
