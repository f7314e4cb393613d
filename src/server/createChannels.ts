import type { Clock } from './clock.ts';
import type { SigningSecrets } from './config.ts';
import type { Logger } from './logger.ts';

export interface CreateChannelsOptions extends SigningSecrets {
  readonly rpcUrl: string;
  readonly rpcCertificateAuthority?: string | null;
  /** Balance each new channel gets. Channels pay no fees: it only covers their reserve. */
  readonly startingBalanceStroops?: bigint;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface CreatedChannels {
  /** Addresses that did not exist and were created now. */
  readonly created: readonly string[];
  /** Addresses that existed already. */
  readonly existing: readonly string[];
  /** Hash of the transaction that created them; `null` when there was nothing to do. */
  readonly hash: string | null;
}
