import { open, stat } from 'node:fs/promises';

/**
 * Follows a log file from its end, or from its start when the file is started again. The service writes
 * to a file because it outlives the window that started it.
 */
export interface LogTail {
  stop(): void;
}

const EVERY_MS = 500;
const MOST_AT_ONCE = 256 * 1024;

export function followLog(
  path: string,
  onLine: (line: string) => void,
  everyMs = EVERY_MS,
): LogTail {
  let position: number | undefined;
  let rest = '';
  let reading = false;

  async function look(): Promise<void> {
    const size = await stat(path).then(
      (file) => file.size,
      () => undefined,
    );
    if (size === undefined) {
      position = 0;
      return;
    }
    position ??= size;
    if (size < position) {
      position = 0;
      rest = '';
    }
    if (size === position) return;
    const from = Math.max(position, size - MOST_AT_ONCE);
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      );
      position = from + bytesRead;
      const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(line);
    } finally {
      await file.close();
    }
  }

  function lookOnce(): void {
    if (reading) return;
    reading = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        reading = false;
      });
  }

  // It starts at the file's present end, not at the one half a second later.
  lookOnce();
  const timer = setInterval(lookOnce, everyMs);
  return { stop: () => clearInterval(timer) };
}
