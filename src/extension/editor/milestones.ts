import { commands, type Memento } from 'vscode';

/** Achievements of a new user. Only these complete the walkthrough's steps. */
export type Milestone = 'address' | 'gate' | 'payment' | 'earned' | 'agents' | 'verified';

const KEY = 'milestones';

/** Stores the milestones that were reached, and exposes them to the walkthrough as `svc-x402.done.<milestone>`. */
export class Milestones {
  readonly #state: Memento;
  readonly #reached: Set<Milestone>;

  constructor(state: Memento) {
    this.#state = state;
    this.#reached = new Set(state.get<readonly Milestone[]>(KEY, []));
    for (const milestone of this.#reached) show(milestone);
  }

  /** @returns whether it was reached for the first time */
  mark(milestone: Milestone): boolean {
    if (this.#reached.has(milestone)) return false;
    this.#reached.add(milestone);
    show(milestone);
    void this.#state.update(KEY, [...this.#reached]);
    return true;
  }
}

function show(milestone: Milestone): void {
  void commands.executeCommand('setContext', `svc-x402.done.${milestone}`, true);
}
