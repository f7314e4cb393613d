const HINT_BYTES = 4;

/** The hint for a key: its last four bytes, or all of them if there are fewer. */
export function hintOf(bytes: Uint8Array): Uint8Array {
  const hint = new Uint8Array(HINT_BYTES);
  hint.set(bytes.length < HINT_BYTES ? bytes : bytes.subarray(bytes.length - HINT_BYTES));
  return hint;
}

/** The hint of a signed payload (CAP-40): the key's hint and the payload's, combined by XOR. */
export function signedPayloadHint(publicKey: Uint8Array, payload: Uint8Array): Uint8Array {
  const payloadHint = hintOf(payload);
  return hintOf(publicKey).map((byte, at) => byte ^ (payloadHint[at] ?? 0));
}

export function hintMatches(hint: Uint8Array, expected: Uint8Array): boolean {
  return Buffer.compare(hint, expected) === 0;
}
