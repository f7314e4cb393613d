/** Encodes an unsigned 32-bit integer, also a discriminant or a length (RFC 4506, 4.2). */
export function encodeUint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a signed 64-bit integer (RFC 4506, 4.5: hyper). */
export function encodeInt64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
