import { join } from 'node:path';
import type { Installed, Preparation } from './install.ts';

/** A server that the project did not write, with what it serves. */
export interface ForeignUpstream {
  readonly name: string;
  readonly needs: Preparation | undefined;
  /** Its program and arguments. */
  readonly command: (port: number) => readonly string[];
  /** What is bought. The answer has `tempC`. */
  readonly sold: {
    readonly method: 'GET' | 'POST';
    readonly target: string;
    readonly body?: string;
  };
  /** Routes of `x402.yaml`: everything that has the sold data, as an owner has to name it. */
  readonly routes: readonly string[];
}

const WEATHER = { method: 'GET', target: '/weather/Lima' } as const;
const ROUTES = ['GET /weather/{city}: 0.01'];
const plain = { sold: WEATHER, routes: ROUTES };

/** The servers, each of which is started with its own usual command. */
export function foreignUpstreams({ folder, python, go }: Installed): readonly ForeignUpstream[] {
  const file = (name: string): string => join(folder, name);
  const local = '127.0.0.1';
  return [
    {
      ...{ name: 'FastAPI 0.165 on Uvicorn 0.54', needs: 'python', ...plain },
      command: (port) => [
        ...[python, '-m', 'uvicorn', '--app-dir', folder, 'fastapi_app:app'],
        ...['--host', local, '--port', String(port)],
      ],
    },
    {
      ...{ name: 'Flask 3.1', needs: 'python', ...plain },
      command: (port) => [
        ...[python, '-m', 'flask', '--app', file('flask_app.py'), 'run'],
        ...['--host', local, '--port', String(port)],
      ],
    },
    {
      ...{ name: 'Django 5.2', needs: 'python', ...plain },
      command: (port) => [python, file('django_app.py'), String(port)],
    },
    {
      ...{ name: 'Go net/http', needs: 'go', ...plain },
      command: (port) => [join(go, 'net-http'), String(port)],
    },
    {
      ...{ name: 'chi 5.2 with CleanPath and StripSlashes', needs: 'go', ...plain },
      command: (port) => [join(go, 'chi'), String(port)],
    },
    {
      ...{ name: 'Sinatra 3.0 on Puma', needs: 'sinatra', ...plain },
      command: (port) => ['ruby', file('sinatra_app.rb'), String(port)],
    },
    {
      ...{ name: 'PHP 8.2, its own server', needs: 'php', ...plain },
      command: (port) => ['php', '-S', `${local}:${port}`, file('weather.php')],
    },
    {
      ...{ name: 'NestJS 12.5 on Express', needs: 'npm', ...plain },
      command: (port) => [process.execPath, file('nest.mjs'), String(port)],
    },
    {
      ...{ name: 'Apollo Server 5.5', needs: 'npm' },
      command: (port) => [process.execPath, file('apollo.mjs'), String(port)],
      sold: {
        ...{ method: 'POST', target: '/graphql' },
        body: JSON.stringify({ query: '{ weather(city: "Lima") { city tempC } }' }),
      },
      // It answers at every path, so an owner closes the others.
      routes: ['POST /graphql: 0.01', '"* /*": 0.01', '"* /": 0.01'],
    },
    {
      ...{ name: 'json-server 0.17', needs: 'npm', sold: WEATHER },
      command: (port) => [
        ...[process.execPath, file('node_modules/json-server/lib/cli/bin.js'), '--quiet'],
        ...['--host', local, '--port', String(port), file('db.json')],
      ],
      routes: [...ROUTES, 'GET /weather: 0.01', 'GET /db: 0.01'],
    },
    {
      ...{ name: 'http.server of Python, a folder of files', needs: 'python', ...plain },
      command: (port) => [
        ...[python, '-m', 'http.server', '--bind', local, '--directory', file('files')],
        String(port),
      ],
    },
  ];
}
