import { isLookAlike, parseResource, visibleText } from '../../../protocol/index.ts';

/** Longest service name and tag (spec: Limits/serviceName). */
const MAX_NAME_LENGTH = 64;
/** Maximum number of tags of an entry. The specification does not set a number; the canonical helper keeps 5. */
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
 * Returns a service's name: printable ASCII, at most 64 characters, that cannot be taken for USDC or an address. Any
 * other name is dropped, not transliterated (spec: Ingest sanitization/serviceName).
 */
export function serviceNameOf(value: unknown): string | undefined {
  const name = printableAscii(value);
  return name === undefined || isLookAlike(name) ? undefined : name;
}

/** Returns tags that follow the rule for service names, each once (spec: Ingest sanitization/tags). */
export function tagsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const tags = new Map<string, string>();
  for (const item of value) {
    const tag = printableAscii(item);
    if (tag === undefined || (isLookAlike(tag) && tag.toLowerCase() !== 'usdc')) continue;
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    if (tags.size === MAX_TAGS) break;
  }
  return [...tags.values()];
}

/**
 * Returns a description on one line, truncated to 256 whole characters
 * (spec: Ingest sanitization/description).
 */
export function descriptionOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Twice the length in UTF-16 units is enough for that many code points; the rest is not needed.
  // Composed before it is truncated: a letter and its accents count as one, and no mark is cut off.
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

/** Returns an icon's URL: `https`, a host name with a dot and not an address, no user, no invisible characters. */
export function iconUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !parseResource(value).ok) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  const isName = /[a-z]\.?$/i.test(url.hostname) && url.hostname.includes('.');
  return isName ? url.href : undefined;
}
