import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { escapeControls, oneLine } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import { BodyError } from './readBody.ts';

/** Where the body of a response goes. */
export interface BodyOutput {
  /** Bytes that it takes at most. */
  readonly maxBytes: number;
  /** What to do about a longer body. */
  readonly ifLonger: string;
  write(piece: Uint8Array): Promise<void>;
  /** Called once, after the last piece or a failure. */
  end(): Promise<void>;
  /** Called instead of all others if there is no response. */
  abandon(): Promise<void>;
}

/** A stream of this process, such as its standard output. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(bytes: Uint8Array | string, written: (error?: Error | null) => void): boolean;
}

const MAX_TERMINAL_BYTES = 1 << 20;
const MAX_JSON_BYTES = 16 << 20;
const MAX_STREAMED_BYTES = 2 ** 30;
const SAVE_IT = 'Use -o FILE to save it.';
const LINE_END = 0x0a;

const TEXT_TYPES = /^$|^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded)\s*(?:;|$)/i;

/** The decoder of a declared character encoding; UTF-8 if there is none, or none that is known. */
function decoderOf(contentType: string): InstanceType<typeof TextDecoder> {
  const [, label = 'utf-8'] = /;\s*charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

async function put(stream: OutputStream, bytes: Uint8Array | string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(bytes, (error) => {
      if (error) reject(new BodyError(`The output cannot be written: ${oneLine(error.message)}.`));
      else resolve();
    });
  });
}

/** The text of a body on a terminal, where a stranger's control characters could rewrite what was printed before. */
function terminalOutput(stream: OutputStream, contentType: string): BodyOutput {
  const decoder = decoderOf(contentType);
  let held = '';
  let last = '';
  async function show(text: string): Promise<void> {
    const whole = held + text;
    // Half of a line end of Windows may be in the next piece.
    held = whole.endsWith('\r') ? '\r' : '';
    const shown = escapeControls(
      whole.slice(0, whole.length - held.length).replaceAll('\r\n', '\n'),
    );
    if (shown === '') return;
    last = shown.at(-1) ?? last;
    await put(stream, shown);
  }
  return {
    maxBytes: MAX_TERMINAL_BYTES,
    ifLonger: SAVE_IT,
    write: (piece) => show(decoder.decode(piece, { stream: true })),
    async end() {
      await show(decoder.decode());
      if (held !== '') await put(stream, escapeControls(held));
      if (last !== '\n') await put(stream, '\n');
    },
    async abandon() {},
  };
}

/** The bytes of a body, unchanged. A text gets a line end if it has none, so that a shell's prompt starts a line. */
function pipeOutput(stream: OutputStream, contentType: string): BodyOutput {
  let last: number | undefined;
  return {
    maxBytes: MAX_STREAMED_BYTES,
    ifLonger: 'Nothing more of it was read.',
    async write(piece) {
      last = piece.at(-1) ?? last;
      await put(stream, piece);
    },
    async end() {
      if (TEXT_TYPES.test(contentType) && last !== LINE_END) await put(stream, '\n');
    },
    async abandon() {},
  };
}

/** Returns the output for a standard stream: escaped text for a terminal, and bytes for anything else. */
export function streamOutput(stream: OutputStream, contentType: string): BodyOutput {
  return (stream.isTTY === true ? terminalOutput : pipeOutput)(stream, contentType);
}

/** A body that is kept as text, for one JSON object. */
export interface TextOutput extends BodyOutput {
  text(): string;
}

/** Returns an output that keeps the text of a body. */
export function textOutput(contentType: string): TextOutput {
  const decoder = decoderOf(contentType);
  let text = '';
  return {
    maxBytes: MAX_JSON_BYTES,
    ifLonger: SAVE_IT,
    async write(piece) {
      text += decoder.decode(piece, { stream: true });
    },
    async end() {
      text += decoder.decode();
    },
    async abandon() {},
    text: () => text,
  };
}

/** Runs a step on the file. @throws BodyError */
async function onFile<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BodyError(`${path} cannot be written: ${oneLine(why)}.`, { cause: error });
  }
}

/**
 * Opens the file for a body. Do this before paying: a body that was paid for must have a place. An existing file keeps its
 * content until the body comes.
 * @throws CliError if it cannot be opened
 */
export async function fileOutput(path: string): Promise<BodyOutput> {
  const existed = await stat(path).then(
    () => true,
    () => false,
  );
  let file: FileHandle;
  try {
    file = await open(path, 'a');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('usage', `${path} cannot be written: ${why}. No money moved.`);
  }
  let started = false;
  async function start(): Promise<void> {
    if (started) return;
    started = true;
    // Only a regular file has content to replace.
    if ((await file.stat()).isFile()) await file.truncate(0);
  }
  return {
    maxBytes: MAX_STREAMED_BYTES,
    ifLonger: `${path} has the part before that.`,
    write: (piece) =>
      onFile(path, async () => {
        await start();
        await file.appendFile(piece);
      }),
    end: () =>
      onFile(path, async () => {
        try {
          await start();
        } finally {
          await file.close();
        }
      }),
    async abandon() {
      await file.close();
      if (!existed) await unlink(path).catch(() => {});
    },
  };
}
