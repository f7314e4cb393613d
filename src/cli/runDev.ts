import { leaveServiceFile, tellServing } from './announce.ts';
import { CliError } from './cliError.ts';
import type { DevCommand } from './commandOptions.ts';
import { type DemoSeller, runDemo } from './demo/runDemo.ts';
import { startLocalService } from './localService.ts';
import { giveBackAtRest } from './memory/giveBackAtRest.ts';
import { inSession, requireFolderFree, type Session } from './session.ts';
import type { EmbeddedNetwork } from './startNetwork.ts';

/** `svc-x402 dev`: network and facilitator in this process, and a demo payment. */
export function runDev(options: DevCommand): Promise<void> {
  const restart = options.restart === true && options.exit !== true;
  // The demo payment was made, or failed, before the restart.
  const restartArguments = options.demo ? ['--no-demo'] : [];
  return inSession({ ...options, restart, restartArguments }, async (session) => {
    if (options.exit && !options.demo) {
      throw new CliError('usage', '--exit stops after the demo payment. Omit --no-demo.');
    }
    await requireFolderFree(session);
    const started = performance.now();
    const { facilitatorUrl, network, forOperator } = await startLocalService(session, options);
    const ready = Math.round(performance.now() - started);
    session.report.say(`Network and facilitator ready in ${ready} ms.`, 'ready', { ms: ready });

    const addresses = { facilitatorUrl, network: network.service };
    await leaveServiceFile(session, addresses, forOperator);
    const seller = options.demo ? await demo(session, network, facilitatorUrl, options) : undefined;
    if (options.exit) return;
    tellServing(session, addresses, seller?.url);
    session.closers.add(giveBackAtRest());
    await session.stopped;
  });
}

/** Makes the demo payment. Without `--exit`, a failure is reported and the service keeps running. */
async function demo(
  session: Session,
  network: EmbeddedNetwork,
  facilitatorUrl: string,
  { exit }: DevCommand,
): Promise<DemoSeller | undefined> {
  const { report, closers, stopped } = session;
  report.say('\nA payment, from a new buyer to a new seller\n', 'demo', {});
  try {
    const seller = await Promise.race([
      runDemo({
        facilitatorUrl,
        rpcUrl: network.urls.rpcTls,
        certificateAuthorityFile: network.certificateAuthorityFile,
        friendbotUrl: network.urls.friendbot,
        report,
      }),
      stopped,
    ]);
    if (seller) closers.add({ close: () => seller.stop() });
    return seller ?? undefined;
  } catch (error) {
    if (exit || !(error instanceof CliError)) throw error;
    report.say(`\n${error.message}`, 'demo_failed', { message: error.message });
    return undefined;
  }
}
