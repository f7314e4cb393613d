import { spawn } from 'node:child_process';

const PROGRAM = `
require('node:http').createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const text = 'this is ' + request.url + (request.method === 'POST' ? ' ' + body : '');
    setTimeout(() => response.end(text), 20);
  });
}).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listening'));`;

/** Starts an API in a process of its own. @throws Error if the process ends before it listens */
export async function startUpstream(port: number) {
  const child = spawn(process.execPath, ['-e', PROGRAM, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout: '', stderr: '' }));
  });
  const stop = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  const failed = ended.then(() => Promise.reject(new Error('the upstream ended at its start')));
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), failed]);
  failed.catch(() => {});
  return { ended, stop, signal: (signal: NodeJS.Signals) => void child.kill(signal) };
}
