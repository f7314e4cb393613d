import type { Json } from './jsonTree.ts';

/** `extensions.bazaar` as it is echoed, before it is judged. */
export interface EchoedBazaar {
  readonly info?: Json;
  readonly schema?: Json;
  readonly routeTemplate?: Json;
}

/** `extensions.bazaar.info.input` as it is echoed, before it is judged. */
export interface EchoedInput {
  readonly type?: Json;
  readonly method?: Json;
  readonly bodyType?: Json;
  readonly toolName?: Json;
  readonly inputSchema?: Json;
  readonly transport?: Json;
  readonly description?: Json;
}

/** `paymentPayload.resource` as it is echoed, before it is judged. */
export interface EchoedResource {
  readonly url?: unknown;
  readonly description?: unknown;
  readonly mimeType?: unknown;
  readonly serviceName?: unknown;
  readonly tags?: unknown;
  readonly iconUrl?: unknown;
}
