// What the proxy forwards with, and nothing else: `node:http` with kept connections. Arguments: its port, and that of the API.

import { Agent, createServer, request as send } from 'node:http';
import { pipeline } from 'node:stream';

const [port, upstream] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });

createServer({ noDelay: true }, (request, response) => {
  const { method, url: path, rawHeaders: headers } = request;
  const target = { agent, method, host: '127.0.0.1', port: upstream, path, headers };
  const sent = send({ ...target, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    pipeline(answer, response, () => {});
  });
  sent.on('error', () => response.destroy());
  if (method === 'GET') sent.end();
  else pipeline(request, sent, () => {});
}).listen(port, '127.0.0.1');
