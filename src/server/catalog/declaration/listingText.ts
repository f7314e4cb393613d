import { parseResource, visibleText } from '../../../protocol/index.ts';

/** Longest service name and tag (spec: Limits/serviceName). */
const MAX_NAME_LENGTH = 64;
/** Most tags that an entry keeps. The specification has no number; the canonical helper keeps 5. */
const MAX_TAGS = 10;
/** Longest description, in code points (spec: Limits/description). */
const MAX_DESCRIPTION_LENGTH = 256;
const MAX_MIME_TYPE_LENGTH = 127;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const MIME_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:;[\x20-\x7e]*)?$/i;

function printableAscii(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_NAME_LENGTH) return undefined;
  return PRINTABLE_ASCII.test(value) && value.trim() !== '' ? value : undefined;
}

/**
 * A service's name: printable ASCII, at most 64 characters. Any other is dropped, not transliterated
 * (spec: Ingest sanitization/serviceName).
 */
export function serviceNameOf(value: unknown): string | undefined {
  return printableAscii(value);
}

/** Tags under the same rule as a service's name, each once (spec: Ingest sanitization/tags). */
export function tagsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const tags = new Map<string, string>();
  for (const item of value) {
    const tag = printableAscii(item);
    if (tag !== undefined && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    if (tags.size === MAX_TAGS) break;
  }
  return [...tags.values()];
}

/**
 * A description on one line, clamped to 256 characters, no character cut in two
 * (spec: Ingest sanitization/description).
 */
export function descriptionOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Twice the length in UTF-16 units holds as many code points; the rest need not be looked at.
  // Composed before it is clamped: a letter and its accents count as one, and no mark is cut off.
  const text = visibleText(value.slice(0, 4 * MAX_DESCRIPTION_LENGTH))
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
  const clamped = Array.from(text).slice(0, MAX_DESCRIPTION_LENGTH).join('').trimEnd();
  return clamped === '' ? undefined : clamped;
}

export function mimeTypeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_MIME_TYPE_LENGTH) return undefined;
  return MIME_TYPE.test(value) ? value : undefined;
}

/** An icon's address: `https`, a name with a dot and no address, no user, nothing that is not seen. */
export function iconUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !parseResource(value).ok) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  const isName = /[a-z]\.?$/i.test(url.hostname) && url.hostname.includes('.');
  return isName ? url.href : undefined;
}
