import { listeningPorts } from './listeningPorts.ts';
import { lastLines, missingInOutput, printedPorts } from './serverOutput.ts';
import type { ServerRun } from './serverRun.ts';

/** Where a started server was found, or why it was not. */
export type ServerFound =
  | { readonly kind: 'served'; readonly url: string }
  /** It ended. */
  | {
      readonly kind: 'ended';
      readonly code: number | undefined;
      /** Its last lines. */
      readonly said: string;
      /** Packages that it could not find. */
      readonly missing: readonly string[];
    }
  /** It runs, and no port of it was found in time. */
  | { readonly kind: 'silent'; readonly said: string }
  | { readonly kind: 'cancelled' };

export interface WhereServedOptions {
  /** The URL to test; only its port is in question. */
  readonly url: string;
  readonly run: ServerRun;
  readonly signal: AbortSignal;
  /** Whether a server responds at this URL, with anything. */
  readonly answers: (url: string) => Promise<boolean>;
  /** Asks the user which of several ports is meant; `undefined` if the user cancelled. */
  readonly choosePort: (ports: readonly number[]) => Promise<number | undefined>;
  readonly withinMs: number;
  readonly lookEveryMs?: number;
}

/** After its first port, a server has this long to open the one that it was asked for. */
const SETTLES_WITHIN_MS = 1_500;

/**
 * Waits until a started server responds, on the port that it opened itself: the one of the URL if it is among them, or else the
 * one that it printed, or else the only one on which its processes listen. The user decides between several.
 */
export async function whereServed(options: WhereServedOptions): Promise<ServerFound> {
  const { url, run, signal, answers, choosePort, withinMs, lookEveryMs = 200 } = options;
  const wanted = portOf(url);
  const deadline = Date.now() + withinMs;
  let first: number | undefined;
  for (;;) {
    if (signal.aborted) return { kind: 'cancelled' };
    const { ended, output } = run;
    if (ended !== undefined) {
      const [said, missing] = [lastLines(output), missingInOutput(output)];
      return { kind: 'ended', code: ended.code, said, missing };
    }
    const opened = run.pid === undefined ? [] : await listeningPorts(run.pid);
    const printed = printedPorts(output);
    if (opened.includes(wanted) || printed.includes(wanted) || run.pid === undefined) {
      if (await answers(url)) return { kind: 'served', url };
    }
    const others = await respond(candidates(opened, printed), url, answers);
    if (others.length > 0) {
      first ??= Date.now();
      const [only] = others;
      const isSure = others.length === 1 || Date.now() - first > SETTLES_WITHIN_MS;
      if (isSure && Date.now() - first > SETTLES_WITHIN_MS / 3) {
        const chosen = others.length === 1 ? only : await choosePort(others);
        if (chosen === undefined) return { kind: 'cancelled' };
        return { kind: 'served', url: withPort(url, chosen) };
      }
    }
    if (Date.now() > deadline) return { kind: 'silent', said: lastLines(output) };
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** The ports in question: printed ones that are open, or else those that are open, or else those that were printed. */
function candidates(opened: readonly number[], printed: readonly number[]): readonly number[] {
  const both = printed.filter((port) => opened.includes(port));
  if (both.length > 0) return both;
  return opened.length > 0 ? opened : printed;
}

async function respond(
  ports: readonly number[],
  url: string,
  answers: (url: string) => Promise<boolean>,
): Promise<readonly number[]> {
  const checked = await Promise.all(ports.map((port) => answers(withPort(url, port))));
  return ports.filter((_port, index) => checked[index]);
}

/** The port of a URL, with the defaults of http and https. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** A URL on another port, as it was typed: parameters such as `:city` and `{id}` stay. */
export function withPort(url: string, port: number): string {
  return url.replace(/^([a-z]+:\/\/)(\[[^\]]*\]|[^/:?#]*)(?::\d*)?/i, `$1$2:${port}`);
}
