import type { Asked, Delivered, Interruption } from '../helpers/truth/judge.ts';

/** What the harness writes down while it runs. Times are readings of `performance.now()`. */
export class Records {
  readonly asked: Asked[] = [];
  readonly delivered: Delivered[] = [];
  readonly interruptions: Interruption[] = [];
  /** Requests to settle that got no answer. */
  unanswered = 0;

  /** Begins an interruption of an instance; the result ends it. */
  interrupt(from: string, kind: string): () => void {
    const begun = performance.now();
    const index = this.interruptions.length;
    this.interruptions.push({ from, kind, begun, ended: Number.POSITIVE_INFINITY });
    return () => {
      this.interruptions[index] = { from, kind, begun, ended: performance.now() };
    };
  }
}
