// The API that is sold: a small answer, and one of 200 MB. Its port is the first argument.

import { createServer } from 'node:http';

const SMALL = JSON.stringify({ city: 'Lima', tempC: 19, note: 'x'.repeat(960) });
const PIECE = Buffer.alloc(1 << 20, 'x');
const PIECES = 200;

createServer(async (request, response) => {
  if (!request.url.endsWith('/big')) {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(SMALL));
    return response.end(SMALL);
  }
  response.setHeader('Content-Length', PIECE.length * PIECES);
  for (let sent = 0; sent < PIECES && !response.destroyed; sent++) {
    if (!response.write(PIECE)) {
      await new Promise((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
    }
  }
  response.end();
}).listen(Number(process.argv[2]), '127.0.0.1');
