import { type FSWatcher, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { makeFolder } from '../../machine/index.ts';

/**
 * A log file that is read when it grows, even after it is recreated. The service writes to a file because it outlives the
 * window that started it.
 */
export interface LogTail {
  /** Reads new lines. It runs automatically if the system reports file changes. */
  look(): Promise<void>;
  stop(): void;
}

const MAX_AT_ONCE = 256 * 1024;
const LINE_END = 0x0a;

/**
 * Follows a log file without polling: the system reports that the file has changed.
 * @param onLine called for each line; `earlier` if the line existed before this call
 */
export function followLog(path: string, onLine: (line: string, earlier: boolean) => void): LogTail {
  let position: number | undefined;
  let rest = Buffer.alloc(0);
  let reading: Promise<void> | undefined;
  let changed = false;

  async function read(): Promise<void> {
    const size = await stat(path).then(
      (file) => file.size,
      () => undefined,
    );
    const earlier = position === undefined;
    if (size === undefined) {
      position = 0;
      return;
    }
    position ??= 0;
    if (size < position) {
      position = 0;
      rest = Buffer.alloc(0);
    }
    if (size === position) return;
    const from = Math.max(position, size - MAX_AT_ONCE);
    const skipped = from > position;
    const file = await open(path, 'r');
    try {
      const target = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(target, 0, target.length, from);
      position = from + bytesRead;
      const bytes = Buffer.concat([
        skipped ? Buffer.alloc(0) : rest,
        target.subarray(0, bytesRead),
      ]);
      const end = bytes.lastIndexOf(LINE_END) + 1;
      rest = bytes.subarray(end);
      const lines = bytes.toString('utf8', 0, end).split('\n');
      // The skipped part ended in the middle of a line.
      for (const line of skipped ? lines.slice(1) : lines) if (line !== '') onLine(line, earlier);
    } finally {
      await file.close();
    }
  }

  async function readUntilUnchanged(): Promise<void> {
    do {
      changed = false;
      await read().catch(() => undefined);
    } while (changed);
    reading = undefined;
  }

  function look(): Promise<void> {
    changed = true;
    reading ??= readUntilUnchanged();
    return reading;
  }

  const watcher = watchFolder(dirname(path), basename(path), () => void look());
  void look();
  return { look, stop: () => watcher?.close() };
}

/** `undefined` if the system cannot watch more files: then the log is read when somebody looks at it. */
function watchFolder(folder: string, name: string, onChange: () => void): FSWatcher | undefined {
  try {
    makeFolder(folder);
    const watcher = watch(folder, { persistent: false }, (_event, changed) => {
      if (changed === null || changed === name) onChange();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
