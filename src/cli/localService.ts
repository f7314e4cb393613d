import { randomBytes } from 'node:crypto';
import type { LedgerOptions } from '../../network/src/index.ts';
import { isLoopbackHost } from '../machine/index.ts';
import { configFromEnvironment } from '../server/index.ts';
import { CliError } from './cliError.ts';
import type { DevCommand, NetworkOptions } from './commandOptions.ts';
import { type OpenedFacilitator, openFacilitator } from './openFacilitator.ts';
import { DEFAULT_LEDGER_PORT } from './optionValues.ts';
import type { Session } from './session.ts';
import { type EmbeddedNetwork, startNetwork } from './startNetwork.ts';

/** How the embedded network and its facilitator are started. */
type LocalServiceOptions = NetworkOptions &
  Partial<Pick<DevCommand, 'ledgerPort' | 'facilitatorPort'>>;

interface Tokens {
  readonly passkeyToken: string;
  readonly operatorToken: string;
}

/** The embedded network and the facilitator, in this process. */
export interface LocalService {
  readonly facilitatorUrl: string;
  readonly network: EmbeddedNetwork;
  /** For users who can read the service file: secrets, and the operator's own port, if there is one. */
  readonly forOperator: Tokens & { readonly operatorUrl?: string };
}

/** Starts the network and the facilitator. @throws CliError if the network has no port */
export async function startLocalService(
  session: Session,
  options: LocalServiceOptions,
): Promise<LocalService> {
  let facilitator: OpenedFacilitator | undefined;
  const settings = { ...options, port: options.ledgerPort ?? DEFAULT_LEDGER_PORT };
  const tokens = {
    passkeyToken: randomBytes(24).toString('hex'),
    operatorToken: randomBytes(24).toString('hex'),
  };
  const network = await startNetwork(
    session,
    settings,
    () => facilitator?.url,
    async (reachable) => {
      facilitator = await startLocalFacilitator(session, reachable, options, tokens);
    },
  );
  const opened: OpenedFacilitator | undefined = facilitator;
  if (opened === undefined) throw new CliError('failed', 'The network has no port.');
  const { url: facilitatorUrl, operatorUrl } = opened;
  const forOperator = { ...tokens, ...(operatorUrl ? { operatorUrl } : {}) };
  return { facilitatorUrl, network, forOperator };
}

/** The environment may configure everything except the network and its accounts. */
function startLocalFacilitator(
  session: Session,
  { accounts, contracts, urls }: Parameters<NonNullable<LedgerOptions['onReachable']>>[0],
  { facilitatorPort: port, inMemory = false }: LocalServiceOptions,
  tokens: Tokens,
): Promise<OpenedFacilitator | undefined> {
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
