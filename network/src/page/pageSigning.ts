/**
 * Handles keys in the page. A secret key is entered in the page or created there, and used only there; it is never sent. Keys
 * as text are in the format of SEP-23. To import a seed, Web Crypto needs the PKCS #8 header before it (RFC 8410).
 */
export const PAGE_SIGNING = `
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_KINDS = { G: 48, S: 144 };
const PKCS8 = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
function checksum(bytes) {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return [crc & 0xff, crc >> 8];
}
function keyText(kind, key) {
  const body = [KEY_KINDS[kind], ...key];
  const bits = [...body, ...checksum(body)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.match(/.{5}/g).map((five) => LETTERS[parseInt(five, 2)]).join('');
}
function keyBytes(kind, text) {
  if (!/^[A-Z2-7]{56}$/.test(text)) return undefined;
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g).map((eight) => parseInt(eight, 2));
  const [low, high] = checksum(bytes.slice(0, 33));
  if (bytes[0] !== KEY_KINDS[kind] || bytes[33] !== low || bytes[34] !== high) return undefined;
  return new Uint8Array(bytes.slice(1, 33));
}
const fromUrlText = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
/** The key and address for a secret key. */
async function keyOfSecret(secret) {
  const seed = keyBytes('S', secret.trim());
  if (!seed) throw new Error('Enter a secret key, S… with 56 characters.');
  const key = await crypto.subtle.importKey('pkcs8', new Uint8Array([...PKCS8, ...seed]), 'Ed25519', true, ['sign']);
  const { x } = await crypto.subtle.exportKey('jwk', key);
  const publicKey = fromUrlText(x);
  return { key, publicKey, address: keyText('G', publicKey) };
}
async function newSecret() {
  const { privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const { d } = await crypto.subtle.exportKey('jwk', privateKey);
  return keyText('S', fromUrlText(d));
}
/** Adds the signature of the source. An unsigned transaction ends with an empty list of signatures: four zero bytes. */
async function signedTransaction(transaction, hash, { key, publicKey }) {
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, new Uint8Array(hash.match(/../g).map((two) => parseInt(two, 16)))));
  const unsigned = Uint8Array.from(atob(transaction), (one) => one.charCodeAt(0)).slice(0, -4);
  const bytes = [...unsigned, 0, 0, 0, 1, ...publicKey.slice(-4), 0, 0, 0, 64, ...signature];
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}
`;
