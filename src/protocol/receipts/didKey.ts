const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Multicodec of an Ed25519 public key, as an unsigned varint. */
const ED25519 = [0xed, 0x01] as const;
const KEY_BYTES = 32;
/** The two bytes of the codec and the 32 of a key, as base58: such a text always has this length, and begins with 6Mk. */
const BASE58_LENGTH = 47;

/**
 * Returns the `did:key` of an Ed25519 public key: base58 of its multicodec and its 32 bytes.
 *
 * @example didKeyOf(publicKey) // 'did:key:z6Mk…'
 */
export function didKeyOf(publicKey: Uint8Array): string {
  if (publicKey.length !== KEY_BYTES) throw new RangeError('An Ed25519 public key has 32 bytes.');
  return `did:key:z${base58(Uint8Array.of(...ED25519, ...publicKey))}`;
}

/** Returns the Ed25519 public key of a `did:key`; `undefined` for keys of other kinds, and for what is not one. */
export function keyOfDidKey(did: string): Uint8Array | undefined {
  const text = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did)?.[1];
  return text === undefined ? undefined : keyOfMultibase(text);
}

/** Returns the Ed25519 public key of a base58 text without its prefix `z`. */
export function keyOfMultibase(text: string): Uint8Array | undefined {
  if (text.length !== BASE58_LENGTH) return undefined;
  const bytes = fromBase58(text, ED25519.length + KEY_BYTES);
  if (bytes === undefined || ED25519.some((byte, at) => bytes[at] !== byte)) return undefined;
  return bytes.slice(ED25519.length);
}

/** Base58 with Bitcoin's alphabet. Our texts never begin with a zero byte, which it would write as `1`. */
function base58(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET.charAt(Number(rest % 58n)) + text;
  return text;
}

function fromBase58(text: string, length: number): Uint8Array | undefined {
  let rest = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return undefined;
    rest = rest * 58n + BigInt(digit);
  }
  const bytes = new Uint8Array(length);
  for (let at = length - 1; at >= 0; at -= 1, rest /= 256n) bytes[at] = Number(rest % 256n);
  return rest === 0n ? bytes : undefined;
}
