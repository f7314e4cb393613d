import type { ServiceFile } from '../../machine/index.ts';
import type { Settings } from './settings.ts';

/** All addresses of the selected network. `undefined` if unknown. */
export interface NetworkAddresses {
  readonly facilitatorUrl: string | undefined;
  readonly rpcUrl: string | undefined;
  readonly horizonUrl: string | undefined;
  readonly friendbotUrl: string | undefined;
  readonly explorerUrl: string | undefined;
  readonly policyGatewayUrl: string | undefined;
  /** PEM file to trust for `https:` connections to the embedded network. */
  readonly certificateAuthorityFile: string | undefined;
}

const TESTNET = {
  rpcUrl: 'https://soroban-testnet.stellar.org',
  horizonUrl: 'https://horizon-testnet.stellar.org',
  friendbotUrl: 'https://friendbot.stellar.org',
  explorerUrl: 'https://stellar.expert/explorer/testnet',
} as const;

/**
 * Replaces the network's own addresses with those of the settings.
 * @param service the discovery file of the local service; `undefined` while it isn't running
 */
export function networkAddresses(
  settings: Settings,
  service: ServiceFile | undefined,
): NetworkAddresses {
  const own =
    settings.network === 'testnet'
      ? { ...TESTNET, facilitatorUrl: undefined, policyGatewayUrl: undefined }
      : localAddresses(service);
  return {
    facilitatorUrl: settings.facilitatorUrl ?? own.facilitatorUrl,
    rpcUrl: settings.rpcUrl ?? own.rpcUrl,
    horizonUrl: settings.horizonUrl ?? own.horizonUrl,
    friendbotUrl: own.friendbotUrl,
    explorerUrl: settings.explorerUrl ?? own.explorerUrl,
    policyGatewayUrl: settings.policyGatewayUrl ?? own.policyGatewayUrl,
    certificateAuthorityFile:
      (settings.network === 'local' && service?.network.certificateAuthorityFile) || undefined,
  };
}

/** The embedded network can be browsed at its Horizon URL. */
function localAddresses(service: ServiceFile | undefined) {
  return {
    facilitatorUrl: service?.facilitatorUrl ?? undefined,
    policyGatewayUrl: service?.policyGatewayUrl ?? undefined,
    rpcUrl: service?.network.rpcUrl,
    horizonUrl: service?.network.horizonUrl ?? undefined,
    friendbotUrl: service?.network.friendbotUrl ?? undefined,
    explorerUrl: service?.network.horizonUrl ?? undefined,
  };
}
