import { randomUUID } from 'node:crypto';

/** A person may be away for some minutes. */
const ANSWER_WITHIN_MS = 10 * 60_000;
/** More open questions than an agent asks at the same time; beyond this the oldest is dropped. */
const MAX_OPEN = 100;

/**
 * Questions to a person that await an answer. Each tool call is a separate request (revision 2026-07-28), so the answer arrives
 * with the next call and names its question by an id. An id that a client makes up or uses twice has no effect.
 */
export class OpenQuestions {
  readonly #open = new Map<string, { readonly text: string; readonly until: number }>();

  /** Keeps a question until it is answered. @returns its id */
  ask(text: string): string {
    for (const [id, { until }] of this.#open) {
      if (until < Date.now() || this.#open.size >= MAX_OPEN) this.#open.delete(id);
    }
    const id = randomUUID();
    this.#open.set(id, { text, until: Date.now() + ANSWER_WITHIN_MS });
    return id;
  }

  /** Returns whether `id` is this exact question and still open, and closes it. */
  close(id: string, text: string): boolean {
    const question = this.#open.get(id);
    this.#open.delete(id);
    return question?.text === text && question.until >= Date.now();
  }
}
