import type { EchoedResource } from './echoed.ts';
import { descriptionOf, iconUrlOf, mimeTypeOf, serviceNameOf, tagsOf } from './listingText.ts';

/** What a listing says in words. */
export interface ListedTexts {
  readonly description?: string;
  readonly mimeType?: string;
  readonly serviceName?: string;
  readonly iconUrl?: string;
  readonly tags: readonly string[];
}

/**
 * The texts of a resource, each kept if it follows its rule and left out if it does not
 * (spec: Ingest sanitization).
 * @param otherwise a description to use when the resource has none
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
