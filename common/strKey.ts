/**
 * The text form of Stellar keys: base32 of version byte, 32 bytes and a CRC-16 (SEP-23).
 * Implemented here so that code that only needs addresses (the editor extension) does not bundle an SDK.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const TEXT_LENGTH = 56;
const KEY_LENGTH = 32;

/** Version bytes of SEP-23 for the kinds that have 32 bytes and are used here. */
const VERSION = { account: 6 << 3, contract: 2 << 3, secretSeed: 18 << 3 } as const;

export type StrKeyKind = keyof typeof VERSION;

/** Values of the letters by character code; 255 for all others. */
const VALUES = new Uint8Array(128).fill(255);
for (let value = 0; value < ALPHABET.length; value += 1) {
  VALUES[ALPHABET.charCodeAt(value)] = value;
}

/** CRC-16/XMODEM of each single byte: polynomial 0x1021, as SEP-23 has it. */
const CRCS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
});

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRCS[(crc >> 8) ^ byte] ?? 0);
  return crc;
}

/** Encodes 32 bytes as the text form of the given kind. */
export function encodeStrKey(kind: StrKeyKind, key: Uint8Array): string {
  if (key.length !== KEY_LENGTH) throw new RangeError(`a key has 32 bytes, not ${key.length}`);
  const body = new Uint8Array(1 + KEY_LENGTH + 2);
  body[0] = VERSION[kind];
  body.set(key, 1);
  const crc = crc16(body.subarray(0, 1 + KEY_LENGTH));
  body[33] = crc & 0xff;
  body[34] = crc >> 8;

  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of body) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((buffer >> bits) & 31);
    }
  }
  return text;
}

/** Decodes the 32 bytes of a key; `undefined` if kind, length, alphabet or checksum is wrong. */
export function decodeStrKey(kind: StrKeyKind, text: string): Uint8Array | undefined {
  if (text.length !== TEXT_LENGTH) return undefined;
  const body = new Uint8Array(1 + KEY_LENGTH + 2);
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (let letter = 0; letter < TEXT_LENGTH; letter += 1) {
    const value = VALUES[text.charCodeAt(letter)] ?? 255;
    if (value === 255) return undefined;
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      body[at++] = (buffer >> bits) & 0xff;
    }
  }
  if (body[0] !== VERSION[kind]) return undefined;
  const crc = crc16(body.subarray(0, 1 + KEY_LENGTH));
  if (body[33] !== (crc & 0xff) || body[34] !== crc >> 8) return undefined;
  return body.slice(1, 1 + KEY_LENGTH);
}
