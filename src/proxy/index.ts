/** The paying proxy: sells an HTTP API in any language without touching its code. */
export {
  DEFAULT_LIMITS,
  type McpConfig,
  type Otherwise,
  type ProxyConfig,
  plainTerms,
  type Terms,
} from './config/config.ts';
export {
  type ConfigProblem,
  plainPath,
  readAmount,
  readConfig,
  readUrl,
} from './config/readConfig.ts';
export { connectFacilitator } from './facilitator.ts';
export { type ProxyLog, type RunningProxy, startProxy } from './proxyServer.ts';
export { openSales } from './salesStore.ts';
