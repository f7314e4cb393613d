/** Functions of the platform: randomness, and the hash that is signed. */
export interface Platform {
  sha256(bytes: Uint8Array): Promise<Uint8Array>;
  randomBytes(count: number): Uint8Array;
}

/** The part of the Web Crypto API that is used; browsers and Node have it. */
export interface WebCrypto {
  readonly subtle: { digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> };
  getRandomValues(array: Uint8Array): Uint8Array;
}

/** Creates the platform from the Web Crypto API: `crypto` in browsers, `webcrypto` of `node:crypto`. */
export function webPlatform(crypto: WebCrypto): Platform {
  return {
    sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  };
}
