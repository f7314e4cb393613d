/** One request: what it was, when it began (seconds into the run), how long it took, how it ended. */
interface Recorded {
  readonly kind: string;
  readonly at: number;
  readonly milliseconds: number;
}

export interface LatencyOfKind {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** How a request ends that got what it asked for. */
export const OK = 'ok';

export function latencyOf(milliseconds: readonly number[]): LatencyOfKind {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** Keeps how long each request took and how it ended. */
export class Recorder {
  readonly #began = performance.now();
  readonly #recorded: Recorded[] = [];
  readonly #codes = new Map<string, Map<string, number>>();

  /** Seconds into the run. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1_000;
  }

  /** Measures a request. @param code names the end of it from its answer */
  async time<T>(
    kind: string,
    request: () => Promise<T>,
    code: (answer: T) => string,
  ): Promise<T | undefined> {
    const at = this.seconds;
    const begun = performance.now();
    let ended = 'no answer';
    try {
      const answer = await request();
      ended = code(answer);
      return answer;
    } catch {
      return undefined;
    } finally {
      this.#recorded.push({ kind, at, milliseconds: performance.now() - begun });
      const codes = this.#codes.get(kind) ?? new Map<string, number>();
      codes.set(ended, (codes.get(ended) ?? 0) + 1);
      this.#codes.set(kind, codes);
    }
  }

  /** Latency by kind of the requests that began between two moments. */
  between(from: number, to: number): Record<string, LatencyOfKind> {
    const found = new Map<string, number[]>();
    for (const { kind, at, milliseconds } of this.#recorded) {
      if (at < from || at >= to) continue;
      found.set(kind, [...(found.get(kind) ?? []), milliseconds]);
    }
    return Object.fromEntries([...found].map(([kind, all]) => [kind, latencyOf(all)]));
  }

  /** How requests ended, by kind. */
  get codes(): Record<string, Record<string, number>> {
    return Object.fromEntries(
      [...this.#codes]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([kind, codes]) => [
          kind,
          Object.fromEntries([...codes].sort(([, a], [, b]) => b - a)),
        ]),
    );
  }
}
