import { randomBytes } from 'node:crypto';
import type { LedgerOptions } from '../../network/src/index.ts';
import { isLoopbackHost } from '../machine/index.ts';
import { configFromEnvironment } from '../server/index.ts';
import { leaveServiceFile, tellServing } from './announce.ts';
import { CliError } from './cliError.ts';
import type { DevCommand } from './commandOptions.ts';
import { type DemoSeller, runDemo } from './demo/runDemo.ts';
import { giveBackAtRest } from './memory/giveBackAtRest.ts';
import { openFacilitator } from './openFacilitator.ts';
import { inSession, requireFolderFree, type Session } from './session.ts';
import { type EmbeddedNetwork, startNetwork } from './startNetwork.ts';

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
    let facilitator: string | undefined;
    const settings = { ...options, port: options.ledgerPort };
    const tokens = {
      passkeyToken: randomBytes(24).toString('hex'),
      operatorToken: randomBytes(24).toString('hex'),
    };
    const network = await startNetwork(
      session,
      settings,
      () => facilitator,
      async (reachable) => {
        facilitator = await startLocalFacilitator(session, reachable, options, tokens);
      },
    );
    const facilitatorUrl = facilitator;
    if (facilitatorUrl === undefined) throw new CliError('failed', 'The network has no port.');
    const ready = Math.round(performance.now() - started);
    session.report.say(`Network and facilitator ready in ${ready} ms.`, 'ready', { ms: ready });

    const addresses = { facilitatorUrl, network: network.service };
    await leaveServiceFile(session, addresses, tokens);
    const seller = options.demo ? await demo(session, network, facilitatorUrl, options) : undefined;
    if (options.exit) return;
    tellServing(session, addresses, seller?.url);
    session.closers.add(giveBackAtRest());
    await session.stopped;
  });
}

/** The environment may configure everything except the network and its accounts. */
function startLocalFacilitator(
  session: Session,
  { accounts, contracts, urls }: Parameters<NonNullable<LedgerOptions['onReachable']>>[0],
  { facilitatorPort: port, inMemory = false }: DevCommand,
  tokens: { readonly passkeyToken: string; readonly operatorToken: string },
): Promise<string | undefined> {
  const { sponsor, channels } = accounts;
  const { upto } = contracts;
  const { CHANNEL_SEED: _seed, UPTO_CONTRACT_ID: _upto, ...environment } = process.env;
  const config = configFromEnvironment({
    ...environment,
    STELLAR_RPC_URL: urls.rpc,
    HORIZON_URL: urls.horizon,
    SPONSOR_SECRET: sponsor.secret,
    CHANNEL_SECRETS: channels.map(({ secret }) => secret).join(' '),
    ...(upto === null ? {} : { UPTO_CONTRACT_ID: upto }),
  });
  return openFacilitator(session, {
    ...config,
    // Records of settlements belong with the ledger that contains them.
    dataFolder: inMemory ? null : session.folder,
    port: port ?? config.port,
    busyPort: 'move',
    // A developer on this machine is exempt from the rate limit.
    rateLimitExemptsLoopback: true,
    // Requests with another host name (DNS rebinding) are refused, unless others may connect at all.
    loopbackNamesOnly: isLoopbackHost(config.host),
    // Sellers of the embedded network are on this machine, where nobody else can verify them.
    checksLocalSellers: true,
    // The sponsor's money comes from friendbot, like everyone's, so a deployment needs no proof of control.
    policyProofRequired: false,
    ...tokens,
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
