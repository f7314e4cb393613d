import { canonicalJson } from './canonicalJson.ts';

/** Characters of one message; a longer one is not read. Node's own limit of all headers together is lower by default. */
export const MAX_MESSAGE = 64 * 1024;

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** Encodes a message: base64url, without padding, of its canonical JSON. */
export function encodeJson(message: unknown): string {
  const bytes = new TextEncoder().encode(canonicalJson(message));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes such a text to JSON, whether or not it is padded; `undefined` if it is too long, or not base64url of JSON. */
export function decodeJson(text: string): unknown {
  if (text.length > MAX_MESSAGE || !BASE64URL.test(text)) return undefined;
  try {
    const binary = atob(text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
