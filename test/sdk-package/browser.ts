import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { openProfile, removeProfile } from '../support/chromium.ts';

const LIMIT_MS = 90_000;

/** Bundles a program for browsers, as an app does. */
export async function bundle(folder: string, program: string): Promise<Uint8Array> {
  writeFileSync(join(folder, 'page.mjs'), program);
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['page.mjs'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** Opens a page with the script in Chromium. @returns what the page posts to `/result` */
export async function inChromium(program: string, script: Uint8Array): Promise<string> {
  const profile = openProfile();
  const result = promised<string>();
  const server = createServer((request, response) => {
    if (request.url === '/page.mjs') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (request.url === '/result') {
      void textOf(request).then(result.resolve, result.reject);
      response.writeHead(204).end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><script type="module" src="/page.mjs"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    program,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--disable-background-networking', `--user-data-dir=${profile}`],
      `http://127.0.0.1:${port}/`,
    ],
    { stdio: 'ignore' },
  );
  child.once('error', result.reject);
  const late = setTimeout(() => result.reject(new Error('the page gave no result')), LIMIT_MS);
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    return await result.promise;
  } finally {
    clearTimeout(late);
    child.kill();
    await ended;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await removeProfile(profile);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
