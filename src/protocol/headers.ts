/** Names of the HTTP headers that carry x402 messages between buyer, seller and facilitator. */
export const PAYMENT_REQUIRED_HEADER = 'PAYMENT-REQUIRED';
export const PAYMENT_SIGNATURE_HEADER = 'PAYMENT-SIGNATURE';
export const PAYMENT_RESPONSE_HEADER = 'PAYMENT-RESPONSE';
/** Lower case on the wire (spec: extension-responses header). */
export const EXTENSION_RESPONSES_HEADER = 'extension-responses';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Encodes a message as the value of any of these headers: padded base64 of its UTF-8 JSON. */
export function encodeHeaderMessage(message: unknown): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(JSON.stringify(message))) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}

/** Decodes such a value to JSON; `undefined` if it is not base64 of JSON. */
export function decodeHeaderMessage(value: string): unknown {
  if (value === '' || !BASE64.test(value)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
