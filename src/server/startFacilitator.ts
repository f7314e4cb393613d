import { type Clock, systemClock } from './clock.ts';
import { CONFIG_DEFAULTS, type FacilitatorConfig, type SigningSecrets } from './config.ts';
import { openFacilitator } from './facilitator/index.ts';
import { createApp } from './http/createApp.ts';
import { listen } from './http/listen.ts';
import { createRateLimiter } from './http/rateLimit/index.ts';
import { type Logger, silentLogger } from './logger.ts';
import { createMetrics } from './metrics/index.ts';
import { connectNetwork } from './network/index.ts';

/** Where the network is and who signs must be told; the rest has defaults (`CONFIG_DEFAULTS`). */
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
  /** Stops listening, answers what is in flight, closes connections. */
  close(): Promise<void>;
}

/**
 * Starts a facilitator and resolves when it answers.
 * @throws ConfigError when secrets, accounts or network do not fit; RpcError when the network
 * gives no answer; an `EADDRINUSE` error when the port is taken and may not be moved
 */
export async function startFacilitator(options: FacilitatorOptions): Promise<RunningFacilitator> {
  const { logger = silentLogger, clock = systemClock, ...given } = options;
  const config: FacilitatorConfig = { ...CONFIG_DEFAULTS, ...given };
  const metrics = createMetrics();
  const network = connectNetwork(
    {
      url: config.rpcUrl,
      certificateAuthority: config.rpcCertificateAuthority,
      onCall: metrics.rpcCall,
    },
    clock,
  );
  let closing = false;
  try {
    const facilitator = await openFacilitator(config, network, clock, logger, metrics.spendRefusal);
    metrics.watch(() => facilitator.health());
    const app = createApp({
      ...config,
      facilitator,
      logger,
      metrics,
      rateLimiter:
        config.rateLimitPerMinute === 0
          ? undefined
          : createRateLimiter(config.rateLimitPerMinute, clock),
      closing: () => closing,
    });
    const { url, port, close } = await listen(app, config);
    logger.info({ url }, 'facilitator ready');
    return {
      url,
      port,
      async close() {
        closing = true;
        await close(facilitator.stop());
        network.close();
      },
    };
  } catch (error) {
    network.close();
    throw error;
  }
}
