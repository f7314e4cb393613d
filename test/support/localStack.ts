import { type LedgerOptions, type RunningLedger, startLedger } from '../../network/src/index.ts';
import { mcpEndpoint } from '../../src/mcp/mcpEndpoint.ts';
import {
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
  systemClock,
} from '../../src/server/index.ts';
import { connectNetwork, type StellarNetwork } from '../../src/server/network/index.ts';
import { measured } from './waits.ts';

/** An embedded network with a facilitator on it, both in this process and on free ports. */
export interface LocalStack {
  readonly ledger: RunningLedger;
  readonly rpcUrl: string;
  readonly friendbotUrl: string;
  readonly network: StellarNetwork;
  readonly facilitator: RunningFacilitator;
  close(): Promise<void>;
}

export interface LocalNetwork {
  readonly ledger: RunningLedger;
  readonly rpcUrl: string;
  readonly friendbotUrl: string;
  readonly network: StellarNetwork;
  close(): Promise<void>;
}

/** Starts a network in memory. */
export async function startLocalNetwork(options: LedgerOptions = {}): Promise<LocalNetwork> {
  const starting = startLedger({ port: 0, seed: 'facilitator tests', ...options });
  const ledger = await measured('network', starting);
  const { urls } = ledger;
  if (urls === null) throw new Error('the network has no port');
  const network = connectNetwork({ url: urls.rpc, certificateAuthority: null }, systemClock);
  return {
    ledger,
    rpcUrl: urls.rpc,
    friendbotUrl: urls.friendbot,
    network,
    async close() {
      network.close();
      await ledger.close();
    },
  };
}

/** The options of a facilitator for the network's own sponsor and channels. */
export function facilitatorOptions({ ledger, rpcUrl }: LocalNetwork): FacilitatorOptions {
  const { sponsor, channels } = ledger.accounts;
  return {
    rpcUrl,
    sponsorSecret: sponsor.secret,
    channels: { secrets: channels.map(({ secret }) => secret) },
    port: 0,
    openMcp: async (ask) => mcpEndpoint('0', ask),
    // Tests ask more often than any client; the limit has tests of its own.
    rateLimitPerMinute: 0,
  };
}

/** Starts both. */
export async function startLocalStack(
  options: Partial<FacilitatorOptions> = {},
  ledgerOptions: LedgerOptions = {},
): Promise<LocalStack> {
  const local = await startLocalNetwork(ledgerOptions);
  const starting = startFacilitator({ ...facilitatorOptions(local), ...options });
  const facilitator = await measured('facilitator', starting);
  return {
    ...local,
    facilitator,
    async close() {
      await facilitator.close();
      await local.close();
    },
  };
}
