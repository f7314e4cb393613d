import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../measuredProcess.ts';
import { Server } from './server.ts';

export interface Servers {
  readonly upstream: Server;
  /** `node:http` forwarding, without payments. */
  readonly bare: Server;
  /** `undefined` where it is not installed. */
  readonly nginx: Server | undefined;
  readonly proxy: Server;
  /** An app that sells with `svc-x402/seller`. */
  readonly engine: Server;
  close(): Promise<void>;
}

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

function nginxConfig(port: number, upstream: number): string {
  return `daemon off;
master_process off;
worker_processes 1;
error_log stderr crit;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxied;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000;
  upstream api { server 127.0.0.1:${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
}

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts the API, and each of the servers before it.
 * @param payTo the address that proxy and engine are paid to
 */
export async function startServers(payTo: string, facilitator: string): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-proxy-'));
  const running: Server[] = [];
  const start = async (
    name: string,
    command: (port: number) => readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Server> => {
    const port = await freePort();
    const output = join(folder, `${running.length}.log`);
    const server = await Server.start(name, port, command(port), { output, environment });
    running.push(server);
    return server;
  };
  const node = (name: string, ...rest: readonly (string | number)[]) => [
    process.execPath,
    program(name),
    ...rest.map(String),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const upstream = await start('the API itself', (port) => node('upstream.mjs', port));
    const bare = await start('node:http', (port) => node('bareForward.mjs', port, upstream.port));
    const engine = await start('svc-x402/seller', (port) =>
      node('engine.mjs', port, payTo, facilitator),
    );
    const nginx = hasNginx()
      ? await start('nginx', (port) => {
          const config = join(folder, 'nginx.conf');
          writeFileSync(config, nginxConfig(port, upstream.port));
          return ['nginx', '-p', folder, '-c', config];
        })
      : undefined;
    const config = join(folder, 'x402.yaml');
    writeFileSync(
      config,
      `upstream: http://127.0.0.1:${upstream.port}
payTo: ${payTo}
facilitator: ${facilitator}
routes:
  GET /free/*: free
  GET /paid/*: 0.001
otherwise: closed
`,
    );
    const proxy = await start(
      'svc-x402 proxy',
      (port) => [
        ...[process.execPath, CLI, 'proxy', '--config', config, '--json'],
        ...['--port', String(port), '--data-dir', join(folder, 'data')],
      ],
      { DATABASE_URL: '', PROXY_SECRET: '' },
    );
    return { upstream, bare, engine, nginx, proxy, close };
  } catch (error) {
    await close();
    throw error;
  }
}
