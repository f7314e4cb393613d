import { configFromEnvironment, createChannels } from '../server/index.ts';
import type { CommonOptions } from './commandOptions.ts';
import { inSession } from './session.ts';

/** `svc-x402 facilitator create-channels`: the 50 accounts, on the network of the environment. */
export function runCreateChannels(options: CommonOptions): Promise<void> {
  return inSession(options, async ({ logger, report }) => {
    const { rpcUrl, sponsorSecret, channels } = configFromEnvironment(process.env);
    report.say(`Creating channel accounts on ${rpcUrl} …`, 'creating', { rpcUrl });
    const outcome = await createChannels({ rpcUrl, sponsorSecret, channels, logger });
    const { created, existing, warning, hash } = outcome;
    const paid = hash === null ? '' : ` Transaction ${hash}.`;
    report.say(
      `${created.length} created, ${existing.length} already exist.${paid}`,
      'created',
      outcome,
    );
    if (warning !== null) report.say(`Warning: ${warning}`, 'channels_of_another', { warning });
  });
}
