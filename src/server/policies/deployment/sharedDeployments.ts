import type { DeployedInstance } from '../../../protocol/policies/index.ts';
import type { WorkUnderWay } from '../workUnderWay.ts';

/** Deployments in progress by content: callers who request the same one share its result. */
export class SharedDeployments {
  readonly #byId = new Map<string, Promise<DeployedInstance>>();
  readonly #underWay: WorkUnderWay;

  constructor(underWay: WorkUnderWay) {
    this.#underWay = underWay;
  }

  /** Starts a deployment, or joins the one in progress under the same name. */
  once(id: string, work: () => Promise<DeployedInstance>): Promise<DeployedInstance> {
    const earlier = this.#byId.get(id);
    if (earlier !== undefined) return earlier;
    const started = this.#underWay.track(work().finally(() => this.#byId.delete(id)));
    this.#byId.set(id, started);
    return started;
  }
}
