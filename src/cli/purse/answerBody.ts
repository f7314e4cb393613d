import { open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { makeFolder } from '../../machine/index.ts';
import type { Body, Media } from '../../mcp/pay/purse.ts';
import { quoted, visibleText } from '../../protocol/index.ts';
import {
  type ContentType,
  decodeText,
  extensionOf,
  isTextType,
  pictureType,
  readContentType,
} from './contentTypes.ts';
import { Refusal } from './refusal.ts';

/** What the client can show, and where the rest goes. */
export interface Display {
  /** The client shows only text. */
  readonly textOnly: boolean;
  /** Folder that the user named for files; `undefined` if none was. */
  readonly folder: string | undefined;
}

/** Maximum bytes of text, since an agent reads them all. */
const MAX_TEXT_BYTES = 64 * 1024;
/** Maximum bytes of pictures, sound and other parts of an answer; models take about 5 MB in base64. */
const MAX_MEDIA_BYTES = 3 * 1024 * 1024;
/** Maximum bytes of a file in the folder that the user named. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Refuses a resource that the client cannot show, by the type that the seller's terms name, before anything is signed.
 * @param declared `resource.mimeType` of the challenge
 * @throws Refusal
 */
export function checkDisplay(declared: unknown, { textOnly, folder }: Display): void {
  if (!textOnly || folder !== undefined || typeof declared !== 'string') return;
  const type = readContentType(declared);
  if (type.essence === '' || isTextType(type)) return;
  throw new Refusal(
    'content_not_supported',
    `The seller delivers ${quoted(type.essence)}, and this client shows only text. A person can start the server with --save-to FOLDER, which saves such responses.`,
  );
}

interface Bytes {
  readonly bytes: Uint8Array;
  readonly cut: Body['cut'];
}

/** Reads a response as far as an agent can use it. */
export async function readBody(
  response: Response,
  display: Display,
  source: { readonly url: URL; readonly call: string; readonly isTool: boolean },
): Promise<Body> {
  const named = (response.headers.get('content-type') ?? '').slice(0, 100);
  const type = readContentType(named);
  const folder = display.folder;
  const most = folder === undefined ? MAX_MEDIA_BYTES : MAX_FILE_BYTES;
  const textHere = isTextType(type) && folder === undefined && !source.isTool;
  const read = await readBytes(response, textHere ? MAX_TEXT_BYTES : most);
  const { bytes } = read;
  const body = { type: named, bytes: bytes.length, media: [], file: null, text: null };
  if (bytes.length === 0) return { ...body, text: '', cut: read.cut };
  if (source.isTool) return toolBody(read, body, display);

  const save = async (): Promise<string | null> =>
    folder === undefined ? null : saveFile(folder, source.call, type, bytes);
  const isMedia = pictureType(bytes) !== undefined || /^(?:audio|video)\//.test(type.essence);
  const text = isMedia ? undefined : textOf(read, type);
  if (text !== undefined) {
    const file = text.cut === 'too_long' || bytes.length > MAX_TEXT_BYTES ? await save() : null;
    return { ...body, bytes: Math.min(bytes.length, MAX_TEXT_BYTES), ...text, file };
  }
  const media = mediaOf(read, type);
  const isShown = media !== undefined && !display.textOnly && media.kind !== 'resource';
  const file = isShown ? null : await save();
  return {
    ...body,
    cut: read.cut,
    file,
    media: media === undefined || file !== null ? [] : [media],
  };
}

/** Reads up to a number of bytes. If the connection breaks, the part that arrived is returned, since the cost is already known. */
async function readBytes(response: Response, most: number): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut: Body['cut'] = 'no';
  try {
    for await (const chunk of response.body ?? []) {
      const room = most - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.byteLength, room);
      if (chunk.byteLength > room) {
        cut = 'too_long';
        break;
      }
    }
  } catch {
    cut = 'broken';
  }
  return { bytes: Buffer.concat(chunks), cut };
}

/** The text that an agent reads; `undefined` if the bytes are not text. */
function textOf({ bytes, cut }: Bytes, type: ContentType): Pick<Body, 'text' | 'cut'> | undefined {
  const isLong = bytes.length > MAX_TEXT_BYTES;
  const text = decodeText(bytes.subarray(0, MAX_TEXT_BYTES), type, isLong || cut !== 'no');
  if (text === undefined) return undefined;
  return { text: visibleText(text), cut: isLong ? 'too_long' : cut };
}

/** A part that is not text; `undefined` if it is incomplete, because a part of a picture is not a picture. */
function mediaOf({ bytes, cut }: Bytes, { essence }: ContentType): Media | undefined {
  if (cut !== 'no' || bytes.length > MAX_MEDIA_BYTES) return undefined;
  const data = Buffer.from(bytes).toString('base64');
  const picture = pictureType(bytes);
  if (picture !== undefined) return { kind: 'image', mimeType: picture, data };
  if (essence.startsWith('audio/')) return { kind: 'audio', mimeType: essence, data };
  return {
    kind: 'resource',
    mimeType: essence === '' ? 'application/octet-stream' : essence,
    data,
  };
}

/** Saves a body under a name that the seller does not choose. @returns its path; `null` if it cannot be written */
async function saveFile(
  folder: string,
  call: string,
  type: ContentType,
  bytes: Uint8Array,
): Promise<string | null> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, `${time}-${call.slice(0, 8)}.${extensionOf(type)}`);
  try {
    makeFolder(folder);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    return path;
  } catch (error) {
    process.stderr.write(`${path} cannot be written: ${String(error)}\n`);
    return null;
  }
}

const mediaPart = z.looseObject({
  type: z.enum(['image', 'audio']),
  data: z.string(),
  mimeType: z.string(),
});
const resourcePart = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({ blob: z.string(), mimeType: z.optional(z.string()) }),
});
const toolResult = z.looseObject({ content: z.array(z.unknown()) });

/** A tool's result as JSON, with its pictures and sound as parts of their own. */
function toolBody(
  { bytes, cut }: Bytes,
  body: Omit<Body, 'text' | 'cut'>,
  { textOnly }: Display,
): Body {
  const whole = decodeText(bytes, readContentType('application/json'), cut !== 'no') ?? '';
  const parsed = z.safeParse(toolResult, parseJson(whole));
  const media: Media[] = [];
  const content = parsed.data?.content.map((part) => {
    const found = textOnly ? undefined : partOf(part);
    if (found === undefined) return part;
    media.push(found);
    return { type: found.kind, mimeType: found.mimeType, part: media.length };
  });
  const text =
    content === undefined || media.length === 0
      ? whole
      : JSON.stringify({ ...parsed.data, content });
  const isLong = text.length > MAX_TEXT_BYTES;
  return {
    ...body,
    media,
    text: visibleText(isLong ? text.slice(0, MAX_TEXT_BYTES) : text),
    cut: isLong ? 'too_long' : cut,
  };
}

function partOf(part: unknown): Media | undefined {
  const media = z.safeParse(mediaPart, part).data;
  if (media !== undefined) {
    const { type: kind, data, mimeType } = media;
    const bytes = Buffer.from(data, 'base64');
    const picture = pictureType(bytes);
    if (kind === 'audio') return { kind, mimeType, data };
    return picture === undefined
      ? { kind: 'resource', mimeType, data }
      : { kind, mimeType: picture, data };
  }
  const embedded = z.safeParse(resourcePart, part).data?.resource;
  if (embedded === undefined) return undefined;
  const { blob: data, mimeType = 'application/octet-stream' } = embedded;
  return { kind: 'resource', mimeType, data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
