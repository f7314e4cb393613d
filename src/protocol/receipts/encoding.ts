/** Encodes bytes as base64url without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Decodes base64url without padding. `undefined` for anything else, and for a text that is not the one that its bytes encode to:
 * a signature could otherwise be spelled in several ways, and an artifact be counted twice.
 */
export function decodeBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return encodeBase64url(bytes) === text ? bytes : undefined;
}

/** Strings, a colon after them, and the ends of objects: enough of JSON to see the names of members. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

/** Whether an object of a valid JSON text has a member twice: readers disagree on which of them counts. */
function repeatsMember(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (text !== undefined && colon !== undefined) {
      const name = String(JSON.parse(text));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

/** Reads a JSON object from its bytes in UTF-8. `undefined` for anything else, and if a member is there twice. */
export function readObject(
  bytes: Uint8Array | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (bytes === undefined) return undefined;
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return repeatsMember(json) ? undefined : { ...value };
  } catch {
    return undefined;
  }
}
