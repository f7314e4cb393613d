import { isLoopbackAddress } from '../machine/index.ts';
import type { FacilitatorConfig } from './config.ts';

type Settings = Pick<FacilitatorConfig, 'host' | 'trustedProxyHops' | 'trustedProxies'>;

/**
 * Returns a sentence for each combination of settings that is allowed and dangerous.
 * @param config the settings of a service that is about to listen
 */
export function dangerousSettings(config: Settings): readonly string[] {
  const { host, trustedProxyHops: hops, trustedProxies } = config;
  if (hops === 0 || trustedProxies.length > 0 || isLoopbackAddress(host)) return [];
  return [
    `HOST=${host} and TRUSTED_PROXY_HOPS=${hops} let every program that reaches the port directly choose its address with X-Forwarded-For, ` +
      'so that limits for each client do not hold: set TRUSTED_PROXIES to the addresses of your proxy, or HOST=127.0.0.1.',
  ];
}
