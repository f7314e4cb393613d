import type { EchoedResource } from './echoed.ts';
import { descriptionOf, iconUrlOf, mimeTypeOf, serviceNameOf, tagsOf } from './listingText.ts';

/** The texts of a listing. */
export interface ListedTexts {
  readonly description?: string;
  readonly mimeType?: string;
  readonly serviceName?: string;
  readonly iconUrl?: string;
  readonly tags: readonly string[];
}

/**
 * Returns the texts of a resource. A text that breaks its rule is left out
 * (spec: Ingest sanitization).
 * @param otherwise a description to use if the resource has none
 */
export function listedTexts(resource: EchoedResource, otherwise?: unknown): ListedTexts {
  const description = descriptionOf(resource.description) ?? descriptionOf(otherwise);
  const mimeType = mimeTypeOf(resource.mimeType);
  const serviceName = serviceNameOf(resource.serviceName);
  const iconUrl = iconUrlOf(resource.iconUrl);
  return {
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(serviceName === undefined ? {} : { serviceName }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    tags: tagsOf(resource.tags),
  };
}
