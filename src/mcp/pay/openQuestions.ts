import { randomUUID } from 'node:crypto';

/** A person may be away for some minutes. */
const ANSWER_WITHIN_MS = 10 * 60_000;
/** More than an agent asks at the same time; the oldest is dropped first. */
const MOST_OPEN = 100;

/**
 * Questions to a person that wait for an answer. Each call of a tool is a request of its own
 * (revision 2026-07-28), so an answer arrives with the next one and names its question by an id. An id
 * that a client makes up, or answers twice, allows nothing.
 */
export class OpenQuestions {
  readonly #open = new Map<string, { readonly text: string; readonly until: number }>();

  /** Keeps a question until it is answered. @returns its id */
  ask(text: string): string {
    for (const [id, { until }] of this.#open) {
      if (until < Date.now() || this.#open.size >= MOST_OPEN) this.#open.delete(id);
    }
    const id = randomUUID();
    this.#open.set(id, { text, until: Date.now() + ANSWER_WITHIN_MS });
    return id;
  }

  /** Whether `id` is this very question and still waits. It does not wait any more afterwards. */
  close(id: string, text: string): boolean {
    const question = this.#open.get(id);
    this.#open.delete(id);
    return question?.text === text && question.until >= Date.now();
  }
}
