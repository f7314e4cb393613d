/** The paying proxy: sells an HTTP API in any language without touching its code. */
export { DEFAULT_LIMITS, type ProxyConfig, plainTerms } from './config/config.ts';
export {
  type ConfigProblem,
  configJsonSchema,
  readAmount,
  readConfig,
  readUrl,
} from './config/readConfig.ts';
export { type Documented, type DocumentRoutes, withDocument } from './openapi/documentRoutes.ts';
export { MAX_DOCUMENT_BYTES, readDocument } from './openapi/readDocument.ts';
export { type ProxyLog, type RunningProxy, startProxy } from './proxyServer.ts';
export { openSales } from './salesStore.ts';
