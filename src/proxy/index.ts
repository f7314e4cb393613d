/** The paying proxy: sells an HTTP API in any language without touching its code. */
export {
  DEFAULT_LIMITS,
  type McpConfig,
  type Otherwise,
  PROTOCOL_NAMES,
  type ProtocolName,
  type ProxyConfig,
  plainTerms,
  type Terms,
} from './config/config.ts';
export {
  type ConfigProblem,
  configJsonSchema,
  plainPath,
  readAmount,
  readConfig,
  readUrl,
  whyNoReceipts,
} from './config/readConfig.ts';
export { type Documented, type DocumentRoutes, withDocument } from './openapi/documentRoutes.ts';
export { MAX_DOCUMENT_BYTES, readDocument } from './openapi/readDocument.ts';
export { type ProxyLog, type RunningProxy, startProxy } from './proxyServer.ts';
export { openSales } from './salesStore.ts';
