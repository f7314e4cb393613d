// An RPC of its own process, so that it can be stopped as a hanging server is: SIGSTOP, SIGCONT.
import http from 'node:http';

let requests = 0;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    requests += 1;
    const { id } = JSON.parse(body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: requests }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ requests }));
process.on('disconnect', () => process.exit());
