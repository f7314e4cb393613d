import { hasHiddenCharacter } from '../../common/visibleText.ts';

/** A path segment that stands for any value: `:name`, `{name}` or `[name]`. */
const PARAMETER =
  /^(?::([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|\[([A-Za-z_][A-Za-z0-9_]*)\])$/;

/** Characters that are not encoded in a path segment (RFC 3986: pchar). */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]$/;

/** Returns the parameter's name if a decoded segment is a parameter; `undefined` for a fixed segment. */
export function parameterName(segment: string): string | undefined {
  const match = PARAMETER.exec(segment);
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

function bytesOf(segment: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < segment.length; at++) {
    if (segment[at] !== '%') {
      bytes.push(segment.charCodeAt(at));
      continue;
    }
    const digits = segment.slice(at + 1, at + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return undefined;
    bytes.push(Number.parseInt(digits, 16));
    at += 2;
  }
  return Uint8Array.from(bytes);
}

function encode(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    text +=
      byte < 0x80 && PLAIN.test(letter)
        ? letter
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

/** Returns the canonical spelling of a segment; `undefined` if it has none. */
function canonicalSegment(segment: string): string | undefined {
  const bytes = bytesOf(segment);
  if (bytes === undefined || bytes.some((byte) => byte < 0x20 || byte === 0x7f)) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return encode(bytes);
  }
  if (hasHiddenCharacter(text)) return undefined;
  const name = parameterName(text);
  return name === undefined ? encode(new TextEncoder().encode(text.normalize('NFC'))) : `:${name}`;
}

/**
 * Returns the segments of a path that a URL parser has already read, each in its canonical spelling, with parameters written as
 * `:name`. Empty segments are dropped. `undefined` if percent-encoding is broken, or hides an invisible character or a dot
 * segment.
 * @param path ASCII: other characters are percent-encoded
 */
export function canonicalSegments(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const raw of path.split('/')) {
    if (raw === '') continue;
    const segment = canonicalSegment(raw);
    if (segment === undefined || segment === '.' || segment === '..') return undefined;
    segments.push(segment);
  }
  return segments;
}
