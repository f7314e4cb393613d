// Combines still WebP pictures into an animated one (RIFF container with ANIM and ANMF chunks, RFC 9649).

const CHUNK_HEADER = 8;
const RIFF_HEADER = 12;

/**
 * @param {readonly { readonly picture: Buffer, readonly ms: number }[]} frames lossy or lossless pictures of one size, without
 * transparency, and the display time of each
 * @param {number} width pixels
 * @param {number} height pixels
 * @returns {Buffer} a picture that repeats forever
 */
export function animation(frames, width, height) {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const animates = Buffer.from([0b10, 0, 0, 0]);
  const parts = [
    chunk('VP8X', Buffer.concat([animates, size])),
    // White background, infinite loop.
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...frames.map(({ picture, ms }) => {
      const place = Buffer.concat([uint24(0), uint24(0), size, uint24(ms), Buffer.from([0b10])]);
      return chunk('ANMF', Buffer.concat([place, imageOf(picture)]));
    }),
  ];
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  return chunk('RIFF', body);
}

/** The chunk with the pixels of a still picture, with its header. */
function imageOf(picture) {
  if (picture.toString('latin1', 0, 4) !== 'RIFF' || picture.toString('latin1', 8, 12) !== 'WEBP') {
    throw new Error('not a picture in WebP');
  }
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= picture.length; ) {
    const name = picture.toString('latin1', at, at + 4);
    const length = picture.readUInt32LE(at + 4);
    const end = at + CHUNK_HEADER + length + (length % 2);
    if (name === 'VP8 ' || name === 'VP8L') return picture.subarray(at, end);
    at = end;
  }
  throw new Error('a picture without pixels');
}

function chunk(name, data) {
  const header = Buffer.alloc(CHUNK_HEADER);
  header.write(name, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value) {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
