import type { DeployedInstance } from '../../../protocol/policies/index.ts';
import type { WorkUnderWay } from '../workUnderWay.ts';

/** Deployments by what they are: callers who ask for the very same get the same answer. */
export class SharedDeployments {
  readonly #byId = new Map<string, Promise<DeployedInstance>>();
  readonly #underWay: WorkUnderWay;

  constructor(underWay: WorkUnderWay) {
    this.#underWay = underWay;
  }

  /** Begins work, or joins the one that is under way by the same name. */
  once(id: string, work: () => Promise<DeployedInstance>): Promise<DeployedInstance> {
    const earlier = this.#byId.get(id);
    if (earlier !== undefined) return earlier;
    const started = this.#underWay.track(work().finally(() => this.#byId.delete(id)));
    this.#byId.set(id, started);
    return started;
  }
}
