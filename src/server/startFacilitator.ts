import type { Clock } from './clock.ts';
import type { FacilitatorConfig, SigningSecrets } from './config.ts';
import type { Logger } from './logger.ts';

/** Where the network is and who signs must be told; the rest has defaults. */
export type FacilitatorOptions = Pick<FacilitatorConfig, 'rpcUrl'> &
  SigningSecrets &
  Partial<FacilitatorConfig> & {
    readonly logger?: Logger;
    readonly clock?: Clock;
  };

export interface RunningFacilitator {
  /** Base URL without a trailing slash, for `HTTPFacilitatorClient`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, finishes what is in flight, closes connections. */
  close(): Promise<void>;
}
