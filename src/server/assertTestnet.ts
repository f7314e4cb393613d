import { TESTNET_PASSPHRASE } from '../protocol/index.ts';
import { ConfigError } from './configError.ts';

/**
 * Refuses every network except testnet and the embedded network, which has testnet's passphrase
 * (spec: What the service does, 7).
 * @throws ConfigError
 */
export function assertTestnet(passphrase: string): void {
  if (passphrase === TESTNET_PASSPHRASE) return;
  throw new ConfigError([
    `The RPC server is on the network "${passphrase}". Only the test network is supported.`,
  ]);
}
