import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { visibleText } from '../../protocol/index.ts';

/** What a link sells that is on this machine. */
export type SoldThing =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string; readonly title: string };

/** A server of it, for the proxy alone. */
export interface SoldFiles {
  /** With a path that nobody else on this machine can guess: its port is open to all of them. */
  readonly url: URL;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

/** Returns the media type of a file by the end of its name. */
export function mediaType(name: string): string {
  return TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/** Files of a folder that are listed, and how deep. */
const MAX_LISTED = 1_000;
const MAX_DEPTH = 8;

/** Serves a text, a file or a folder on this machine. */
export async function serveSold(sold: SoldThing): Promise<SoldFiles> {
  const token = randomBytes(24).toString('hex');
  const root = sold.kind === 'folder' ? await realpath(sold.path) : '';
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const path = url.startsWith(`/${token}/`) ? url.slice(token.length + 1) : undefined;
    answer(path?.split('?')[0], response).catch(() => {
      if (response.headersSent) response.destroy();
      else notFound(response);
    });
  });

  async function answer(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === undefined) return notFound(response);
    if (sold.kind === 'text') {
      return whole(response, 'text/plain; charset=utf-8', Buffer.from(sold.text));
    }
    if (sold.kind === 'file') {
      return sendFile(await open(sold.path, constants.O_RDONLY), sold.path, response);
    }
    if (path === '/') {
      const page = listing(sold.title, await filesIn(root));
      return whole(response, 'text/html; charset=utf-8', Buffer.from(page));
    }
    const found = await fileIn(root, path);
    if (found === undefined) return notFound(response);
    await sendFile(found.file, found.path, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/${token}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function notFound(response: ServerResponse): void {
  whole(response, 'application/json', Buffer.from('{"error":"not_found"}'), 404);
}

function whole(response: ServerResponse, type: string, body: Buffer, status = 200): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'x-content-type-options': 'nosniff',
    ...(status === 200 && type.startsWith('text/html')
      ? { 'content-security-policy': POLICY }
      : {}),
  });
  response.end(body);
}

async function sendFile(file: FileHandle, path: string, response: ServerResponse): Promise<void> {
  try {
    const { size } = await file.stat();
    response.writeHead(200, {
      'content-type': mediaType(path),
      'content-length': size,
      'x-content-type-options': 'nosniff',
    });
    if (size === 0) response.end();
    else await pipeline(file.createReadStream({ end: size - 1, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/**
 * Whether a name may be served or listed: hidden ones are not what somebody means by selling a folder, and the proxy refuses those
 * that servers read differently.
 */
function isShown(name: string): boolean {
  return name !== '' && !/^[. :{]|[. ]$|[/\\;%?#\p{Cc}]/u.test(name);
}

/**
 * Opens a file of a folder by the path of a request.
 * @returns `undefined` if it is not a file in this folder: a path that leads out of it, also by a symbolic link, or through a name
 *   that begins with a dot
 */
export async function fileIn(
  root: string,
  path: string,
): Promise<{ readonly file: FileHandle; readonly path: string } | undefined> {
  let names: string[];
  try {
    names = path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
  if (!names.every(isShown)) return undefined;
  let real: string;
  try {
    real = await realpath(join(root, ...names));
  } catch {
    return undefined;
  }
  if (!isInside(root, real)) return undefined;
  // The real path has no link that could lead elsewhere by now.
  const file = await open(
    real,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  ).catch(() => undefined);
  if (file === undefined) return undefined;
  if ((await file.stat()).isFile()) return { file, path: real };
  await file.close();
  return undefined;
}

function isInside(root: string, real: string): boolean {
  const below = relative(root, real);
  return below !== '' && below.split(sep).every(isShown);
}

interface Listed {
  /** With `/` between the names. */
  readonly name: string;
  readonly size: number;
}

/** Returns the files of a folder that are sold, in the order of their names. */
export async function filesIn(root: string, below = '', depth = 0): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  const names: string[] = [];
  for await (const { name } of await opendir(join(root, below))) {
    if (isShown(name)) names.push(name);
    if (names.length >= MAX_LISTED) break;
  }
  for (const name of names.sort()) {
    if (found.length >= MAX_LISTED) break;
    const path = below === '' ? name : `${below}/${name}`;
    const real = await realpath(join(root, path)).catch(() => undefined);
    if (real === undefined || !isInside(root, real)) continue;
    const about = await stat(real).catch(() => undefined);
    if (about?.isFile()) found.push({ name: path, size: about.size });
    // Folders behind links could go around in circles.
    const isPlain = real === join(root, path);
    if (about?.isDirectory() && isPlain && depth < MAX_DEPTH) {
      found.push(...(await filesIn(root, path, depth + 1)));
    }
  }
  return found.slice(0, MAX_LISTED);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function html(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function sizeWords(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000
    ? `${(size / 1_000).toFixed(1)} kB`
    : `${(size / 1_000_000).toFixed(1)} MB`;
}

/** The list of what is sold, which is free. */
function listing(title: string, files: readonly Listed[]): string {
  const rows = files
    .map(({ name, size }) => {
      const link = name.split('/').map(encodeURIComponent).join('/');
      return `<li><a href="/${html(link)}"><bdi>${html(name)}</bdi></a> (${sizeWords(size)})</li>`;
    })
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html(title)}</title>
</head>
<body>
<main>
<h1><bdi>${html(title)}</bdi></h1>
<ul>
${rows}
</ul>
</main>
</body>
</html>
`;
}
