import type { Json } from './jsonTree.ts';

/** The echoed `extensions.bazaar`, before validation. */
export interface EchoedBazaar {
  readonly info?: Json;
  readonly schema?: Json;
  readonly routeTemplate?: Json;
}

/** The echoed `extensions.bazaar.info.input`, before validation. */
export interface EchoedInput {
  readonly type?: Json;
  readonly method?: Json;
  readonly bodyType?: Json;
  readonly toolName?: Json;
  readonly inputSchema?: Json;
  readonly transport?: Json;
  readonly description?: Json;
}

/** The echoed `paymentPayload.resource`, before validation. */
export interface EchoedResource {
  readonly url?: unknown;
  readonly description?: unknown;
  readonly mimeType?: unknown;
  readonly serviceName?: unknown;
  readonly tags?: unknown;
  readonly iconUrl?: unknown;
}
