import { type CutReason, decodedBody, type Exchange, headerOf } from '../http/index.ts';
import { later, t } from '../words/index.ts';

/** How a body is shown. */
export type AnswerView = 'json' | 'text' | 'html' | 'image' | 'audio' | 'binary' | 'none';

/** A response as the panel shows it. It is JSON, so that it survives a reload. */
export interface AnswerShown {
  readonly status: number;
  readonly statusText: string;
  readonly ms: number;
  /** Size of the body that arrived. */
  readonly bytes: number;
  /** Media type without parameters; empty if the response has none. */
  readonly type: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly view: AnswerView;
  /** Text of the body, up to a limit. */
  readonly text: string;
  /** `data:` URL of an image or a sound; empty otherwise. */
  readonly data: string;
  /** Time and size for people. */
  readonly time: string;
  readonly size: string;
  /** What is not shown, and why; empty if all is shown. */
  readonly notes: readonly string[];
  /** Whether an editor tab can show it as text. */
  readonly isText: boolean;
}

/** Larger texts slow a page down; an editor tab shows them whole. */
export const MAX_SHOWN_TEXT = 200_000;
/** A longer JSON text is shown as it came. */
const MAX_FORMATTED = 2_000_000;
const MAX_INDENTED = 50;
/** Larger images and sounds are saved instead. */
const MAX_SHOWN_DATA = 5_000_000;

const CUT: Readonly<Record<CutReason, string>> = {
  too_large: later('The body is larger than {0}, so the rest was not read.'),
  timeout: later('The time limit ended the response after {0}.'),
  cancelled: later('You cancelled the response after {0}.'),
  broken: later('The connection broke after {0}.'),
};

const UNREADABLE = { text: undefined, note: '' };

/** Returns what the panel shows of a response. Nothing is left out without a note. */
export function answerShown(seen: Exchange): AnswerShown {
  const { status, statusText, ms, cut } = seen;
  const arrived = seen.body.length;
  const { body, encoding } = decodedBody(seen);
  const type = mediaType(seen);
  const { text, note } = encoding === '' ? textOf({ ...seen, body }) : UNREADABLE;
  const formatted = text !== undefined && mayBeJson(type, text) ? formatJson(text) : undefined;
  const view = encoding === '' ? viewOf(type, body, text, formatted) : 'binary';
  const isText = text !== undefined && view !== 'image' && view !== 'audio';
  const whole = formatted ?? text ?? '';
  const isLong = whole.length > MAX_SHOWN_TEXT;
  const hasData = (view === 'image' || view === 'audio') && body.length <= MAX_SHOWN_DATA;
  const shown = isText ? whole.slice(0, MAX_SHOWN_TEXT) : '';
  return {
    status,
    statusText,
    ms,
    bytes: arrived,
    type,
    headers: seen.headers.map(([name, value]) => ({ name, value })),
    view: view === 'json' && isLong ? 'text' : view,
    text: shown,
    data: hasData ? `data:${type};base64,${Buffer.from(body).toString('base64')}` : '',
    time: timeWords(ms),
    size: sizeWords(arrived),
    notes: [
      ...(cut === undefined ? [] : [t(CUT[cut], sizeWords(arrived))]),
      ...(note === '' ? [] : [note]),
      ...(encoding === '' ? [] : [t('The body cannot be decoded from {0}.', encoding)]),
      ...(isText && isLong
        ? [
            t(
              'The first {0} of {1} characters are shown. Open it in an editor to see all of it.',
              MAX_SHOWN_TEXT,
              whole.length,
            ),
          ]
        : []),
      ...(view === 'binary' || ((view === 'image' || view === 'audio') && !hasData)
        ? [t('The body is not shown. Save it to open it in another program.')]
        : []),
    ],
    isText,
  };
}

/** The whole body as text, formatted like the panel shows it; `undefined` if it is not text. */
export function wholeText(seen: Exchange): string | undefined {
  const text = textOfBody(seen);
  if (text === undefined) return undefined;
  return mayBeJson(mediaType(seen), text) ? (formatJson(text) ?? text) : text;
}

/** The whole body as text, as it came; `undefined` if it is not text. */
export function textOfBody(seen: Exchange): string | undefined {
  const { body, encoding } = decodedBody(seen);
  return encoding === '' ? textOf({ ...seen, body }).text : undefined;
}

/** A size for people: `512 B`, `1.2 kB`, `3.4 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A time for people: `12 ms`, `1.2 s`. */
export function timeWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function mediaType(seen: Pick<Exchange, 'headers'>): string {
  return (headerOf(seen, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function viewOf(
  type: string,
  body: Uint8Array,
  text: string | undefined,
  formatted: string | undefined,
): AnswerView {
  if (body.length === 0) return 'none';
  if (/^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/.test(type)) {
    return 'image';
  }
  if (type.startsWith('audio/')) return 'audio';
  if (text === undefined) return 'binary';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return formatted === undefined ? 'text' : 'json';
}

/** Whether a text is worth reading as JSON: texts without a type, and plain ones, often are. */
function mayBeJson(type: string, text: string): boolean {
  const isNamed = /[/+]json$/.test(type) || type === '' || type === 'text/plain';
  return isNamed && /^\s*[[{"]/.test(text);
}

const TEXT_TYPE =
  /^text\/|[/+](json|xml|yaml|javascript|ecmascript|graphql|csv|toml)$|^application\/(x-www-form-urlencoded|x-ndjson|ndjson|jsonl|sql|x-sh|problem)/;

/** The body as text by its charset; no text if it is none. */
function textOf(seen: Exchange): { readonly text: string | undefined; readonly note: string } {
  const { body } = seen;
  const type = mediaType(seen);
  if (type !== '' && !TEXT_TYPE.test(type)) return { text: undefined, note: '' };
  const header = headerOf(seen, 'content-type') ?? '';
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(header)?.[1] ?? charsetInside(type, body);
  if (type === '' && named === undefined && !isUtf8(body)) return { text: undefined, note: '' };
  const decoder = decoderOf(named ?? 'utf-8');
  if (decoder === undefined) {
    const note = t('The charset {0} is not known, so the body is read as UTF-8.', named ?? '');
    return { text: new TextDecoder().decode(body), note };
  }
  if (decoder.encoding !== 'utf-8' || isUtf8(body)) {
    return { text: decoder.decode(body), note: '' };
  }
  const note = t('Some bytes of the body are not {0}; they are shown as \ufffd.', 'UTF-8');
  return { text: decoder.decode(body), note };
}

/** The charset that a page names in itself, or a byte order mark. */
function charsetInside(type: string, body: Uint8Array): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (!/html|xml/.test(type)) return undefined;
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1');
  return /(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
}

/** Decodes bytes; what is not in the charset becomes a replacement character. */
interface Decoder {
  readonly encoding: string;
  decode(body: Uint8Array): string;
}

/** The characters from 0x80 to 0x9f. Several versions of Node read them as control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decoderOf(label: string): Decoder | undefined {
  try {
    const decoder = new TextDecoder(label);
    if (decoder.encoding !== 'windows-1252') return decoder;
    return { encoding: decoder.encoding, decode: decodeWindows1252 };
  } catch {
    return undefined;
  }
}

function decodeWindows1252(body: Uint8Array): string {
  return Buffer.from(body)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252[one.charCodeAt(0) - 0x80] ?? one);
}

function isUtf8(body: Uint8Array): boolean {
  if (body.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

/**
 * Formats JSON with two spaces, token by token: numbers keep all their digits, and repeated members stay.
 * Below a depth, lines are not indented further, and a text that is longer than a limit is not formatted: either would need memory
 * that grows much faster than the text.
 * @returns `undefined` if the text is not JSON, or too long
 */
export function formatJson(text: string): string | undefined {
  if (text.length > MAX_FORMATTED) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  const parts: string[] = [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(depth, MAX_INDENTED))}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      depth += 1;
      parts.push(token);
      if (next !== '}' && next !== ']') parts.push(line());
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const before = tokens[index - 1];
      if (before !== '{' && before !== '[') parts.push(line());
      parts.push(token);
    } else if (token === ',') parts.push(',', line());
    else parts.push(token === ':' ? ': ' : token);
  }
  return parts.join('');
}
