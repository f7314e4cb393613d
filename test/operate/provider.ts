import { fork } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** How a provider of RPC is at a moment. */
export const MOODS = ['well', 'slow', 'limited', 'dead', 'forgetful'] as const;
export type Mood = (typeof MOODS)[number];

/** How long a slow provider takes for a call. */
const SLOW_MS = 2_000;
/** Requests a second that a limited provider accepts, and the pause that it asks for. */
const LIMIT = 10;
const RETRY_AFTER_SECONDS = 1;

/** A provider of RPC, such as an operator rents, on a sound network. */
export interface Provider {
  readonly url: string;
  /** Requests of each mood so far. */
  readonly asked: Readonly<Record<Mood, number>>;
  become(mood: Mood): Promise<void>;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
}

type RpcAnswer = Record<string, unknown>;

/** What a provider that has lost its history says: it has the latest ledger, and no transaction before it. */
function forgotten(answer: RpcAnswer, { method }: Call): RpcAnswer {
  const { result } = answer as { result?: Record<string, unknown> };
  if (result === undefined) return answer;
  const { latestLedger } = result;
  if (method === 'getTransaction') {
    const { latestLedgerCloseTime } = result;
    const times = { latestLedgerCloseTime, oldestLedgerCloseTime: latestLedgerCloseTime };
    const oldestLedger = latestLedger;
    return { ...answer, result: { status: 'NOT_FOUND', latestLedger, oldestLedger, ...times } };
  }
  if (method === 'getEvents') return { ...answer, result: { ...result, events: [] } };
  return answer;
}

/** Starts a provider before an RPC server. */
export async function startProvider(upstream: string): Promise<Provider> {
  const asked: Record<Mood, number> = { well: 0, slow: 0, limited: 0, dead: 0, forgetful: 0 };
  let mood: Mood = 'well';
  let recent: number[] = [];

  async function serve(body: string, response: http.ServerResponse): Promise<void> {
    const now: Mood = mood;
    asked[now] += 1;
    if (now === 'limited') {
      const at = performance.now();
      recent = recent.filter((one) => at - one < 1_000);
      if (recent.length >= LIMIT) {
        response.writeHead(429, { 'retry-after': `${RETRY_AFTER_SECONDS}` }).end();
        return;
      }
      recent.push(at);
    }
    if (now === 'slow') await pause(SLOW_MS);
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(upstream, { method: 'POST', headers, body });
    const text = await answered.text();
    response.writeHead(answered.status, headers);
    response.end(now === 'forgetful' ? forgetIn(body, text) : text);
  }

  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      serve(body, response).catch(() => request.socket.destroy());
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async become(next) {
      const before = mood;
      mood = next;
      if (next === 'dead') await end();
      else if (before === 'dead') await listen(port);
    },
    close: async () => (mood === 'dead' ? undefined : end()),
  };
}

/** Changes the answers to one call, or to a batch of calls. */
function forgetIn(body: string, text: string): string {
  const calls = JSON.parse(body) as Call | Call[];
  const answers = JSON.parse(text) as RpcAnswer | RpcAnswer[];
  if (!Array.isArray(calls) || !Array.isArray(answers)) {
    return JSON.stringify(forgotten(answers as RpcAnswer, calls as Call));
  }
  const byId = new Map(calls.map((call) => [call.id, call]));
  return JSON.stringify(
    answers.map((answer) => {
      const call = byId.get(answer['id']);
      return call === undefined ? answer : forgotten(answer, call);
    }),
  );
}

/** A provider in another process, which reports its requests with each change of its mood. */
export interface ForkedProvider {
  readonly url: string;
  /** Changes its mood. @returns its requests of each mood so far */
  become(mood: Mood): Promise<Provider['asked']>;
  close(): Promise<void>;
}

/** Starts a provider in a process of its own. */
export async function forkProvider(upstream: string): Promise<ForkedProvider> {
  const file = fileURLToPath(new URL('providerProcess.ts', import.meta.url));
  const child = fork(file, [upstream], { execArgv: ['--import', 'tsx'] });
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const failed = (code: number | null): void =>
        reject(new Error(`the provider ended with ${code}`));
      child.once('exit', failed);
      child.once('message', (message) => {
        child.off('exit', failed);
        resolve(message as T);
      });
    });
  const { url } = await next<{ url: string }>();
  return {
    url,
    async become(mood) {
      child.send(mood);
      return (await next<{ asked: Provider['asked'] }>()).asked;
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}
