import { randomBytes } from 'node:crypto';
import { STELLAR_TESTNET, TESTNET_PASSPHRASE } from '../protocol/index.ts';
import { configFromEnvironment } from '../server/index.ts';
import { leaveServiceFile, tellServing } from './announce.ts';
import type { FacilitatorCommand } from './commandOptions.ts';
import { openFacilitator } from './openFacilitator.ts';
import { runningService } from './serviceFile.ts';
import { inSession } from './session.ts';

/** `svc-x402 facilitator`: runs only the facilitator, for the network named in the environment. */
export function runFacilitator(options: FacilitatorCommand): Promise<void> {
  return inSession(options, async (session) => {
    const config = configFromEnvironment({ BUSY_PORT: 'move', ...process.env });
    // A service that others can reach never asks for a passkey, which concerns only a user and this machine.
    const isLocal = /^(127\.|localhost$|::1$)/.test(config.host);
    const passkeyToken = isLocal ? randomBytes(24).toString('hex') : undefined;
    const operatorToken = randomBytes(24).toString('hex');
    const facilitatorUrl = await openFacilitator(session, {
      ...config,
      passkeyToken,
      operatorToken,
      dataFolder: session.folder,
      port: options.port ?? config.port,
    });
    if (facilitatorUrl === undefined) return;
    const addresses = {
      facilitatorUrl,
      network: {
        id: STELLAR_TESTNET,
        passphrase: TESTNET_PASSPHRASE,
        embedded: false,
        rpcUrl: config.rpcUrl,
        rpcTlsUrl: config.rpcUrl.startsWith('https:') ? config.rpcUrl : null,
        certificateAuthorityFile: null,
        horizonUrl: config.horizonUrl,
        friendbotUrl: null,
      },
    };
    const other = await runningService(session.folder);
    if (other) {
      session.logger.warn(
        { folder: session.folder, process: other.pid },
        'service.json stays unchanged: another service runs with this data folder',
      );
    } else {
      await leaveServiceFile(session, addresses, {
        operatorToken,
        ...(passkeyToken ? { passkeyToken } : {}),
      });
    }
    tellServing(session, addresses);
    await session.stopped;
  });
}
