import type { Logger } from '../../logger.ts';
import { contractOf, type DeploymentParts, finish } from './deployInstance.ts';

/** Completes, one by one, the deployments that the service's last stop interrupted. */
export async function resumeDeployments(parts: DeploymentParts, logger: Logger): Promise<void> {
  for (const record of await parts.records.interrupted()) {
    const { id } = record;
    await parts
      .once(id, () => finish(record, contractOf(record), parts))
      .then(
        ({ contractId }) => logger.info({ id, contractId }, 'finished an interrupted deployment'),
        (error: unknown) =>
          logger.warn({ id, err: error }, 'could not finish an interrupted deployment'),
      );
  }
}
