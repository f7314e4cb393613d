/** A media type with its charset, as a header or a seller's terms write it. */
export interface ContentType {
  /** Lower case, such as `text/html`; empty if none is named. */
  readonly essence: string;
  readonly charset: string | undefined;
}

/** Reads a media type; what is not one has an empty essence. */
export function readContentType(text: string): ContentType {
  const [first = '', ...parameters] = text.split(';').map((part) => part.trim());
  const essence = /^[\w.+-]+\/[\w.+-]+$/.test(first) ? first.toLowerCase() : '';
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([\w.:-]+)"?$/i.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  return { essence, charset };
}

const TEXT =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:javascript|ecmascript|ndjson|jsonl|json-seq|x-www-form-urlencoded|graphql|sql|toml|x-yaml)|image\/svg\+xml|message\/.*|model\/gltf\+json)$/;

/** Whether a type is text, whatever its charset. */
export function isTextType({ essence }: ContentType): boolean {
  return TEXT.test(essence);
}

/** The pictures that language models read, by their first bytes. */
const PICTURES: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => startsWith(bytes, [...Buffer.from('GIF8')])],
  [
    'image/webp',
    (bytes) =>
      startsWith(bytes, [...Buffer.from('RIFF')]) &&
      startsWith(bytes.subarray(8), [...Buffer.from('WEBP')]),
  ],
];

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/**
 * Returns the type of a picture that language models read, by its bytes: a model's service refuses a whole conversation for a
 * picture that is not what its type says.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
  return PICTURES.find(([, matches]) => matches(bytes))?.[0];
}

/** Ends of file names; the seller has no say in a name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** Returns the end of a file's name for a type, without the dot. */
export function extensionOf({ essence }: ContentType): string {
  return EXTENSIONS[essence] ?? 'bin';
}

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Where HTML and XML name their own charset. */
const NAMED_INSIDE =
  /<\?xml[^>]{0,100}encoding=["']([\w.:-]+)|<meta[^>]{0,100}charset=["']?([\w.:-]+)/i;

/**
 * Decodes text by its byte order mark, its declared charset, or the one that HTML and XML name inside; otherwise as UTF-8. Text
 * without a charset that is not UTF-8 is windows-1252, as browsers read it.
 * @param cut the end is missing, so a character may be incomplete
 * @returns `undefined` if the bytes are not text
 */
export function decodeText(bytes: Uint8Array, type: ContentType, cut: boolean): string | undefined {
  const mark = MARKS.find(([, start]) => startsWith(bytes, start))?.[0];
  const inside = NAMED_INSIDE.exec(Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'));
  const named =
    mark ?? type.charset ?? (isTextType(type) ? (inside?.[1] ?? inside?.[2]) : undefined);
  const decoded = named === undefined ? undefined : decode(bytes, named, cut);
  if (decoded !== undefined) return decoded;
  if (bytes.includes(0)) return undefined;
  return (
    decode(bytes, 'utf-8', cut) ??
    (isTextType(type) ? decode(bytes, 'windows-1252', cut) : undefined)
  );
}

/** Returns `undefined` for an unknown charset, and for bytes that it does not have. */
function decode(bytes: Uint8Array, charset: string, cut: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}
