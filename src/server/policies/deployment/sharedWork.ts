import type { WorkUnderWay } from '../workUnderWay.ts';

/** Work in progress by name: callers who request the same work share its result. */
export class SharedWork<T> {
  readonly #byName = new Map<string, Promise<T>>();
  readonly #underWay: WorkUnderWay;

  constructor(underWay: WorkUnderWay) {
    this.#underWay = underWay;
  }

  /** Starts work, or joins the work in progress under the same name. */
  once(name: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#byName.get(name);
    if (earlier !== undefined) return earlier;
    const started = this.#underWay.track(work().finally(() => this.#byName.delete(name)));
    this.#byName.set(name, started);
    return started;
  }
}
